// expect: a vector has no length yet where the compiler runs the function
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <cstddef>
#include <vector>

constexpr auto log_density = [](auto u, auto y) {
  auto sum = u[1];
  for (std::size_t i = 0; i < y.size(); ++i) sum = sum + normal_lpdf(y[i], u[0], exp(u[1]));
  return sum;
};
auto call(const std::vector<double>& y) {
  return tapeless::value_and_gradient(log_density, tapeless::wrt<0>)(std::array{0.0, 0.0}, y);
}
