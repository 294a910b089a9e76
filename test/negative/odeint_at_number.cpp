// expect: starts from a number, or an array, .*; the times are a sequence, an argument of the function
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto decay = [](auto k) { return odeint_at([](auto, auto y) { return -y; }, k, 0.0, 1.0, 1e-8); };
double slope(double k) { return gradient(decay)(k); }
