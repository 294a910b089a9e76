// expect: is run once, so it cannot change variables outside of it
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>
#include <vector>
using namespace tapeless;
constexpr auto h = [](auto a, auto xs) {
  auto largest = a;
  const auto outer = scan(
      [&](auto s, auto e) {
        const auto inner = scan(
            [&](auto c, auto d) {
              largest = d * c;
              return c + d;
            },
            s, xs);
        return inner + largest * e;
      },
      0.0, xs);
  return outer;
};
double v(double a, const std::vector<double>& xs) { return gradient(h, wrt<0>)(a, xs); }
