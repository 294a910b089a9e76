// Gauss-Newton: residuals r_i = a exp(b t_i) - y_i, of which Newton's method sees the linear part only.
//
//   r~ = r(stop(x)) + J(stop(x)) (x - stop(x)),    L = 1/2 |r~|^2
//
// has the value of 1/2 |r|^2, its gradient J'r, and the Hessian J'J instead of J'J + sum r_i r_i'': never indefinite,
// and without second derivatives. J (x - stop(x)) is a jvp along x - stop(x), which is zero but has a derivative.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

using namespace tapeless;

namespace {

// 2 exp(-t/2) at t = 0, 1, 2, 3
constexpr std::array data{2.0, 1.2130613194252668, 0.7357588823428847, 0.4462603202968597};

constexpr auto residuals = [](auto a, auto b) {
  return std::array{a - data[0], a * exp(b) - data[1], a * exp(2 * b) - data[2], a * exp(3 * b) - data[3]};
};
constexpr auto half_square = [](const auto& r) {
  return (square(r[0]) + square(r[1]) + square(r[2]) + square(r[3])) / 2;
};
constexpr auto newton = [](auto a, auto b) { return half_square(residuals(a, b)); };
constexpr auto gauss_newton = [](auto a, auto b) {
  const auto at_a = stop_gradient(a), at_b = stop_gradient(b);
  auto linear = residuals(at_a, at_b);
  const auto change = jvp(residuals, tangent(a - at_a, b - at_b))(at_a, at_b);
  for (std::size_t i = 0; i < linear.size(); ++i) linear[i] = linear[i] + change[i];
  return half_square(linear);
};

}  // namespace

int main() {
  double a = 1, b = 0.3;
  bool right = true;
  int steps = 0;
  for (; steps < 20 && std::abs(a - 2) + std::abs(b + 0.5) > 1e-12; ++steps) {
    const auto h = hessian(gauss_newton)(a, b);
    const auto [by_a, by_b] = gradient(gauss_newton)(a, b);
    const auto [exact_a, exact_b] = gradient(newton)(a, b);
    double aa = 0, ab = 0, bb = 0;
    for (int t = 0; t < 4; ++t) {
      const double p = std::exp(b * t), q = a * t * p;
      aa += p * p, ab += p * q, bb += q * q;
    }
    right = right && agree(h[0][0], aa) && agree(h[0][1], ab) && agree(h[1][1], bb) && agree(by_a, exact_a) &&
            agree(by_b, exact_b);
    a -= (bb * by_a - ab * by_b) / (aa * bb - ab * ab);
    b -= (aa * by_b - ab * by_a) / (aa * bb - ab * ab);
  }
  const auto h = hessian(newton)(1.0, 0.3);
  std::printf("Gauss-Newton: a = %.12f, b = %.12f in %d steps; the full Hessian has determinant %.1f at the start\n", a,
              b, steps, h[0][0] * h[1][1] - h[0][1] * h[1][0]);
  return right && agree(a, 2) && agree(b, -0.5) ? 0 : 1;
}
