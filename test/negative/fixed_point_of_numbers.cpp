// expect: declare all parameters `auto`
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto root = [](auto p) { return fixed_point([](double x, double q) { return (x + q / x) / 2; }, 1.0, p); };
double slope(double p) { return gradient(root)(p); }
