// expect: the body of a scan must return the next carry, of the shape of the first
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto power = [](auto p, auto n) { return scan([&](auto c, auto) { c = p * c; }, 1.0, steps(n)); };
double slope(double p, int n) { return gradient(power, wrt<0>)(p, n); }
