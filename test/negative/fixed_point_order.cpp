// expect: implicit_root<n> and fixed_point<n> have derivatives up to order n; n must be at least 1
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto point = [](auto p) { return fixed_point<0>([](auto x, auto q) { return q * cos(x); }, p, p); };
double slope(double p) { return gradient(point)(p); }
