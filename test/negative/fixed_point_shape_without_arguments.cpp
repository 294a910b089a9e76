// expect: the function of a fixed_point takes x and args, and must return the same type as x
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto point = [](auto p) { return fixed_point([](auto x) { return std::array{x, x}; }, p); };
double slope(double p) { return gradient(point)(p); }
