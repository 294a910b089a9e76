// expect: for odeint_at and odeint<adaptive>, the tolerance is the last argument
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto decay = [](auto k) {
  return odeint<adaptive>([](auto, auto y, auto by) { return -by * y; }, 1.0, 0.0, 1.0, k);
};
double slope(double k) { return gradient(decay)(k); }
