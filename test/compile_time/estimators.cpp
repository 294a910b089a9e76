// Laws of `dice` and `implicit_root`, as formulas and as functions, against closed forms.
#include <tapeless/tapeless.hpp>

#include <array>
#include <tuple>
#include <type_traits>

using namespace tapeless;

namespace {

constexpr auto p = variable<"p">;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;
constexpr auto x = variable<"x">;

constexpr bool close(double left, double right) {
  const double difference = left < right ? right - left : left - right;
  return difference <= 1e-12 * (right < 0 ? 1 - right : 1 + right);
}

// The value is exactly 1, the n-th derivative that of the probability divided by it: of p^2, 2/p, 2/p^2, 0.
constexpr auto box = dice(2 * log(p));
static_assert(box(p = 0.3) == 1.0);
static_assert(close(gradient(box)(p = 0.25)[p], 8.0));
static_assert(close(hessian(box)(p = 0.25)(p, p), 32.0));
static_assert(close(derivative(derivative(derivative(box, p), p), p)(p = 0.25), 0.0));
static_assert(close(jvp(box, tangent(p = 0.5))(p = 0.25), 4.0));
static_assert(contains<decltype(box), decltype(p)>);
static_assert(dice(stop_gradient(log(p)))(p = 0.3) == 1.0);
static_assert(std::is_same_v<derivative_t<decltype(dice(stop_gradient(log(p)))), decltype(p)>, Zero>);
// A box of a sum is the product of the boxes, at every order.
static_assert(close(hessian(dice(log(p) + log(a)))(p = 0.25, a = 0.5)(p, a), 8.0));
static_assert(close(hessian(dice(log(p)) * dice(log(a)))(p = 0.25, a = 0.5)(p, a), 8.0));
// Of numbers, in their type.
static_assert(dice(-2.5) == 1.0 && dice(-2.5f) == 1.0f && std::is_same_v<decltype(dice(-2.5f)), float>);
static_assert(dice(log(p))(p = 0.5f) == 1.0f);

// The expectation of (s - a p)^2 over s = 1 with probability p, else 0, by its two terms: p - 2 a p^2 + a^2 p^2.
constexpr auto expectation = [](auto q, auto c) {
  const auto yes = log(q), no = log(1 - q);
  return stop_gradient(q) * dice(yes) * square(1 - c * q) + stop_gradient(1 - q) * dice(no) * square(c * q);
};
static_assert(close(value_and_gradient(expectation)(0.25, 1.5).value, 0.25 * (1 - 0.75) + 0.375 * 0.375));
static_assert(close(std::get<0>(gradient(expectation)(0.25, 1.5)), 1 - 4 * 0.375 + 2 * 2.25 * 0.25));
static_assert(close(std::get<1>(gradient(expectation)(0.25, 1.5)), -2 * 0.0625 + 2 * 1.5 * 0.0625));
static_assert(close(hessian(expectation)(0.25, 1.5)[0][0], 2 * 2.25 - 4 * 1.5));
static_assert(close(hessian(expectation)(0.25, 1.5)[0][1], -4 * 0.25 + 4 * 1.5 * 0.25));

// The square root: x^2 - a = 0 at x = 2 has the derivatives 1/4, -1/32, 3/256, -15/2048.
constexpr auto root = implicit_root<4>(x * x - a, x);
static_assert(root(x = 2.0, a = 4.0) == 2.0);
static_assert(gradient(root, wrt(a))(x = 2.0, a = 4.0)[a] == 0.25);
static_assert(hessian(root, wrt(a))(x = 2.0, a = 4.0)(a, a) == -1.0 / 32);
constexpr auto second = derivative(derivative(root, a), a);
static_assert(second(x = 2.0, a = 4.0) == -1.0 / 32);
constexpr auto root_of = [](auto start, auto c) {
  return implicit_root<4>([](auto y, auto d) { return y * y - d; }, start, c);
};
constexpr auto root_at_two = [](auto c) { return root_of(2.0, c); };
constexpr auto third = [](auto c) { return gradient([](auto d) { return hessian(root_at_two)(d)[0][0]; })(c); };
static_assert(close(third(4.0), 3.0 / 256));
static_assert(close(gradient(third)(4.0), -15.0 / 2048));
// By default the first derivative is the root's, and only that: one step is linear here.
static_assert(gradient(implicit_root(x * x - a, x), wrt(a))(x = 2.0, a = 4.0)[a] == 0.25);
static_assert(hessian(implicit_root(x * x - a, x), wrt(a))(x = 2.0, a = 4.0)(a, a) == 0.0);
static_assert(hessian(implicit_root<2>(x * x - a, x), wrt(a))(x = 2.0, a = 4.0)(a, a) == -1.0 / 32);
// Nothing is differentiated of where x comes from, and by types.
static_assert(is_stopped<decltype(root), decltype(x)>);
static_assert(std::is_same_v<derivative_t<decltype(root), decltype(x)>, Zero>);
static_assert(std::get<0>(gradient(root_of)(2.0, 4.0)) == 0.0);
static_assert(gradient(implicit_root(x * x - a, x = sqrt(a)))(a = 4.0)[a] == 0.25);
static_assert(hessian(implicit_root<2>(x * x - a, x = 2.0))(a = 4.0)(a, a) == -1.0 / 32);
// A stop of the residual's own stays one; the root in it moves to the later steps.
static_assert(gradient(implicit_root(x - a * stop_gradient(b), x), wrt(a, b))(x = 6.0, a = 2.0, b = 3.0)[a] == 3.0);
static_assert(gradient(implicit_root(x - a * stop_gradient(b), x), wrt(a, b))(x = 6.0, a = 2.0, b = 3.0)[b] == 0.0);
// A named residual.
struct residual : named<residual, decltype(x * x - a)> {};
static_assert(hessian(implicit_root<2>(residual{}, x), wrt(a))(x = 2.0, a = 4.0)(a, a) == -1.0 / 32);
// A linear residual is solved from anywhere, and numbers in it are kept.
static_assert(gradient(implicit_root(2.5 * x - a, x))(x = 7.0, a = 5.0)[a] == 0.4);
static_assert(implicit_root(2.5 * x - a, x)(x = 7.0, a = 5.0) == 2.0);
// With plain numbers it is a Newton step.
static_assert(implicit_root([](auto y, auto c) { return y * y - c; }, 1.0, 4.0) == 2.5);

// Two parameters: x^3 + a x = b at x = 1, a = 2, b = 3: x' by a is -x/(3 x^2 + a), by b 1/(3 x^2 + a). The second
// derivatives by b and b: -6 x/(3 x^2 + a)^3; by a and b: -1/(3 x^2 + a)^2 + 6 x^2/(3 x^2 + a)^3.
constexpr auto cubic = [](auto c, auto d) {
  return implicit_root<2>([](auto y, auto e, auto f) { return y * y * y + e * y - f; }, 1.0, c, d);
};
static_assert(close(std::get<0>(gradient(cubic)(2.0, 3.0)), -0.2));
static_assert(close(std::get<1>(gradient(cubic)(2.0, 3.0)), 0.2));
static_assert(close(hessian(cubic)(2.0, 3.0)[1][1], -6.0 / 125));
static_assert(close(hessian(cubic)(2.0, 3.0)[0][1], -1.0 / 25 + 6.0 / 125));

// A system: u + v = a, u v = b at a = 5, b = 6 has u = 3, v = 2; u' = (u da - db)/(u - v), v' = (db - v da)/(u - v),
// and u by b and b: -2/(u - v)^3. The first pivot of the Jacobian ((0, 1, 1), ...) below is zero.
constexpr auto system = [](auto c, auto d) {
  return implicit_root<2>([](auto y, auto e, auto f) { return std::array{y[0] + y[1] - e, y[0] * y[1] - f}; },
                          std::array{3.0, 2.0}, c, d);
};
constexpr auto root_slopes = jacobian(system)(5.0, 6.0);
static_assert(close(root_slopes[0][0], 3) && close(root_slopes[0][1], -1));
static_assert(close(root_slopes[1][0], -2) && close(root_slopes[1][1], 1));
constexpr auto first_root = [](auto c, auto d) { return system(c, d)[0]; };
static_assert(close(hessian(first_root)(5.0, 6.0)[1][1], -2));
constexpr auto pivoted = [](auto c) {
  return implicit_root([](auto y, auto d) { return std::array{y[1] + y[2] - 3 * d, y[0] - y[1], 4 * y[0] - y[2] + d}; },
                       std::array{0.0, 0.0, 0.0}, c);
};
constexpr auto solved = value_and_jacobian(pivoted)(5.0);
static_assert(close(solved.value[0], 2) && close(solved.value[1], 2) && close(solved.value[2], 13));
static_assert(close(solved.jacobian[0][0], 0.4) && close(solved.jacobian[2][0], 2.6));
static_assert(close(implicit_root([](auto y) { return std::array{y[1] - 1, y[0] + y[1]}; }, std::array{9.0, 9.0})[0],
                    -1));

}  // namespace
