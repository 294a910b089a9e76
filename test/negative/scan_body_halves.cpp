// A captured value that each step would halve, in a branch in the body.
// expect: is run once, so it cannot change variables outside of it
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <vector>

using namespace tapeless;
const auto g = gradient(
    [](auto a, auto s) {
      auto rate = a;
      return scan(
          [&](auto c, auto e) {
            rate = rate * 0.5;
            return cond(e > 0, [&] { return c + rate * e; }, [&] { return c; });
          },
          a, s);
    },
    wrt<0>)(1.0, std::vector{1.0, 2.0});
