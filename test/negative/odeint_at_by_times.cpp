// expect: a Hessian or sparse matrix with respect to a sequence
// A Hessian by a sequence takes loops over tensors, which odeint_at does not have.
#include <tapeless/xtensor.hpp>

#include <array>
#include <vector>

constexpr auto reached = [](auto t0, auto times) {
  const auto slope = [](auto, auto y) { return std::array{y[1], -y[0]}; };
  const auto ys = tapeless::odeint_at(slope, std::array{1.0, 0.0}, t0, times, 1e-9);
  return tapeless::scan([](auto sum, auto y) { return sum + y[0]; }, 0.0, ys);
};
auto wrong(const std::vector<double>& times) { return tapeless::hessian(reached)(0.0, times); }
