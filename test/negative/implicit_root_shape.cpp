// expect: the function of implicit_root.f, x0, args.... must return as many numbers as x0 has, in the same shape
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto equation = [](auto x, auto p) { return std::array{x[0] * x[1] - p}; };
constexpr auto root = [](auto p) { return implicit_root(equation, std::array{p, 0 * p + 1}, p)[0]; };
double slope(double p) { return gradient(root)(p); }
