// expect: or a function without captures of x and args, implicit_root.f, x0, args...
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto root = [](auto p) { return implicit_root([](auto x, auto q) { return x * x - q; }, p); };
double slope(double p) { return gradient(root)(p); }
