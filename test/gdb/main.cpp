// What check.py looks at in the call of `stop`: formulas beside their texts, and results.
#include <tapeless/tapeless.hpp>

#include <string>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto speed = variable<"speed of light">;

struct half : named<half, decltype(x * constant<1, 2>)> {};

void stop(const char* const (&)[4]) {}

int main() {
  const auto arithmetic =
      x * sin(speed) - (x - 2_c) / stop_gradient<"held">(exp(-x) * constant<-1, 3>) - (x - (x - x)) + speed;
  const auto with_numbers = -2.5 * x + max(speed, stop_gradient(x) * (0.5 + x)) - 3;
  const auto condition = where(x > speed && !(x < 1), -(x + speed), pow(x, 3_c)) + log_normal_cdf(x);
  const auto density = normal_lpdf(x, 0.0, speed);
  const auto user = x + half{};

  const auto of_formula = value_and_gradient(x * x * speed)(x = 2.0, speed = 3.0);
  const auto with_zero = gradient(x * stop_gradient(speed))(x = 2.0, speed = 3.0);
  const auto second = hessian(x * x * speed)(x = 2.0, speed = 3.0);
  const auto rows = jacobian(outputs(x * speed, x))(x = 2.0, speed = 3.0);

  const std::string texts[] = {text(arithmetic), text(with_numbers), text(condition), text(density)};
  const char* const expected[] = {texts[0].c_str(), texts[1].c_str(), texts[2].c_str(), texts[3].c_str()};
  stop(expected);
  return of_formula.value > 0 && with_zero[x] > 0 && second(x, x) > 0 && rows(0, x) > 0 && user(x = 1.0) > 0 ? 0 : 1;
}
