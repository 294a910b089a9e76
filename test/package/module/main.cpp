// A program without a header of the library.
#include <array>
#include <cmath>
#include <complex>
#include <iostream>
#include <sstream>
#include <tuple>
#include <vector>
import tapeless;

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

constexpr auto stopped = gradient(x * stop_gradient(x * y) + 2_c * y)(x = 2.0, y = 3.0);
static_assert(stopped[x] == 6 && stopped[y] == 2);
static_assert(is_zero<derivative_t<decltype(stop_gradient(x)), decltype(x)>>);
static_assert(hessian(x * x * y)(x = 1.0, y = 3.0)(x, y) == 2);

constexpr auto power = [](auto a, auto n) { return scan([&](auto c, auto) { return a * c; }, 1.0, steps(n)); };
static_assert(gradient(power, wrt<0>)(2.0, 5) == 80);

constexpr auto parabola = [](auto p) { return where(p[0] > 0, square(p[0]), -p[0]) + 3 * p[1]; };

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

}  // namespace

int main() {
  std::ostringstream printed;
  printed << derivative(sin(x) * y, x);
  const auto slopes = gradient(parabola)(std::array{2.0, 1.0});
  const std::vector<double> numbers{1, 2, 3};
  const auto squares = [](auto, auto xs) { return scan([](auto s, auto e) { return s + e * e; }, 0.0, xs); };
  const auto [by_scale, by_numbers] = gradient(squares)(1.0, numbers);
  const auto [value, slope] = value_and_gradient(normal_lpdf(x, 0_c, 1_c))(x = 0.5);
  const bool right = printed.str() == "cos(x) * y" && slopes[0] == 4 && slopes[1] == 3 && by_scale == 0 &&
                     by_numbers[2] == 6 && near(value, -0.125 - std::log(2 * std::acos(-1.0)) / 2) &&
                     near(slope[x], -0.5) && check_gradient(exp(x) * tanh(y))(x = 0.3, y = 0.4).passed(1e-6);
  std::cout << printed.str() << "\n";
  return !right;
}
