// The operation whose reason is quoted is in the body of a loop.
// expect: a derivative is taken through prevent_gradient
// expect: the steps are fixed|"the steps are fixed"|116, 104, 101, 32
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto power = [](auto p, auto n) {
  return scan([&](auto c, auto) { return prevent_gradient<"the steps are fixed">(c) * p; }, 1.0, steps(n));
};
double slope(double p, int n) { return gradient(power, wrt<0>)(p, n); }
