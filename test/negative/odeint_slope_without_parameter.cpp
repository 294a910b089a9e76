// expect: the f of odeint and odeint_at must take the time, the state and args..., by `auto`
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto decay = [](auto k) { return odeint([](auto, auto y) { return -y; }, 1.0, 0.0, 1.0, 5, k); };
double slope(double k) { return gradient(decay)(k); }
