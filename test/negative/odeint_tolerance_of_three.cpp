// expect: the tolerance of odeint_at and odeint<adaptive> must be a number, or std::array{absolute, relative}
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto decay = [](auto k) {
  const auto slope = [](auto, auto y, auto by) { return std::array{-by * y[0]}; };
  return odeint<adaptive>(slope, std::array{k}, 0.0, 1.0, k, std::array{1e-8, 1e-8, 1e-8})[0];
};
double slope(double k) { return gradient(decay)(k); }
