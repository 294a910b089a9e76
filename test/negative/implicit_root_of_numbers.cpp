// expect: declare all parameters `auto`
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto root = [](auto p) { return implicit_root([](double x, double q) { return x * x - q; }, 1.0, p); };
double slope(double p) { return gradient(root)(p); }
