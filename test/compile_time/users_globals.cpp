// A user may give globals any short name: under -Wshadow no template of the headers complains.
extern double a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z;

#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;

constexpr auto first_variable = variable<"x">;
constexpr auto second_variable = variable<"y">;
constexpr auto formula = max(first_variable, second_variable, 2.5) * stop_gradient(sin(first_variable)) +
                         logsumexp(first_variable, second_variable);

double every_verb() {
  const auto at = [](const auto& function) { return function(first_variable = 1.0, second_variable = 2.0); };
  static_cast<void>(at(vjp(formula, cotangent(1.0)))[first_variable]);
  static_cast<void>(at(hvp(formula, tangent(first_variable = 1.0)))[first_variable]);
  static_cast<void>(at(jvp(formula, tangent(first_variable = 1.0))));
  static_cast<void>(at(check_gradient(formula)));
  static_cast<void>(at(sparse_jacobian(outputs(formula)))(0, first_variable) + at(sparse_hessian(formula)).values[0]);
  static_cast<void>(at(gradient(custom_gradient(formula, {first_variable = second_variable}))));
  static_cast<void>(at(gradient(grad_clip(grad_scale(straight_through(round(first_variable), formula), 2), -1, 1))));
  static_cast<void>(at(prevent_gradient<"a reason">(formula)));
  static_cast<void>(gradient([](auto one) { return gradient([](auto two) { return two * two; })(one); })(1.0));
  static_cast<void>(vjp([](auto only) { return std::array{only, only}; }, cotangent(1.0, 2.0))(1.0));
  // Its two rows are computed in two lanes.
  static_cast<void>(jacobian([](const auto& array) {
    const auto common = array[0] * array[1] * array[2];
    return std::array{common * array[3], common * array[4]};
  })(std::array{1.0, 2.0, 3.0, 4.0, 5.0}));
  static_cast<void>(dot<double>([](auto only) { return only; }));
  static_cast<void>(at(derivative(formula, first_variable)));
  static_cast<void>(text(formula) + latex(formula) + dot(formula));
  static_cast<void>(cost(gradient(formula)));
  return at(value_and_gradient(formula)).value + at(hessian(formula))(first_variable, second_variable) +
         at(jacobian(outputs(formula, 2.0 * first_variable)))(1, first_variable) +
         gradient([](auto only) { return only * only; })(1.0);
}

// In a namespace of the user's, names are the user's.
namespace budget {

constexpr auto cost = variable<"cost">;
constexpr auto value = variable<"value">;
constexpr double call = 2, general = 1, lower = 1, memory = 2, real = 1, rules = 3, sign = -1, steps = 4, text = 5;
constexpr auto total = cost * call + value / steps - memory * sign + text * rules + lower * real * general;
static_assert(total(cost = 1.0, value = 8.0) == 2 + 2 + 2 + 15 + 1);
static_assert(gradient(total)(cost = 1.0, value = 8.0)[value] == 0.25);

}  // namespace budget
