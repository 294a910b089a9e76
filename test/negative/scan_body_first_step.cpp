// Over tensors: what holds in the first step alone would hold in none, or in each.
// expect: is run once, so it cannot change variables outside of it
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
const auto g = gradient(
    [](auto h, auto xs) {
      bool first = true;
      return sum(scan(
          [&](auto c, auto x) {
            const auto next = first ? c * x : c + x;
            first = false;
            return next;
          },
          h, xs));
    },
    wrt<0>)(xt::xtensor<double, 1>{1, 2}, xt::xtensor<double, 2>{{1, 2}, {3, 4}});
