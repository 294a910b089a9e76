// expect: checkpoints<count> needs a count from 1 to 10000
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto power = [](auto p, auto n) {
  return scan<checkpoints<10001>>([&](auto c, auto) { return p * c; }, 1.0, steps(n));
};
double slope(double p, int n) { return gradient(power, wrt<0>)(p, n); }
