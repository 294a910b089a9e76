// Gradient surgery in every spelling: on formulas, on the arguments of functions, and on structures of both.
#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

#include <array>
#include <tuple>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

template <class T>
struct point {
  BOOST_HANA_DEFINE_STRUCT(point, (T, a), (T, b));
};

// custom_gradient: one partial in braces, several as arguments or as a list.
static_assert(gradient(custom_gradient(x * y, {x = x * y}), wrt(x, y))(x = 2.0, y = 3.0)[x] == 6.0);
static_assert(gradient(custom_gradient(x * y, {x = 0.5}), wrt(x))(x = 2.0, y = 3.0)[x] == 0.5);
static_assert(gradient(custom_gradient(x * y, {x = x * y}), wrt(x, y))(x = 2.0, y = 3.0)[y] == 0.0);
constexpr auto two = gradient(custom_gradient(x * y, x = x * y, y = 7.0), wrt(x, y))(x = 2.0, y = 3.0);
static_assert(two[x] == 6.0 && two[y] == 7.0);
static_assert(std::is_same_v<decltype(custom_gradient(x * y, x = x, y = y)),
                             decltype(custom_gradient(x * y, partials(x = x, y = y)))>);
// The partials are differentiated for higher orders.
static_assert(hessian(custom_gradient(x * y, {x = x * x}))(x = 2.0, y = 3.0)(x, x) == 4.0);
static_assert(derivative(custom_gradient(x * y, {x = x * x}), x)(x = 2.0) == 4.0);
static_assert(jvp(custom_gradient(x * y, {x = x * x}), tangent(x = 2.0))(x = 2.0, y = 3.0) == 8.0);
// Value, partials and factors are never differentiated, so that they need no rule.
struct Cube {
  static constexpr std::string_view name = "cube";
  static constexpr auto value = [](const auto& a) { return a * a * a; };
};
constexpr auto cube = apply<Cube>(x);
constexpr auto prevented = prevent_gradient<"a reason">(x);
static_assert(gradient(custom_gradient(cube, {x = 3_c * x * x}))(x = 2.0)[x] == 12.0);
static_assert(gradient(custom_gradient(prevented, {x = cube}))(x = 2.0)[x] == 8.0);
static_assert(jvp(custom_gradient(prevented, {x = cube}), tangent(x = 1.0))(x = 2.0) == 8.0);
static_assert(derivative(custom_gradient(cube, {x = prevented}), x)(x = 2.0) == 2.0);
static_assert(gradient(grad_scale(x * x, cube))(x = 2.0)[x] == 32.0);
static_assert(derivative(grad_scale(x * x, prevented), x)(x = 2.0) == 8.0);
static_assert(gradient(grad_clip(5_c * x, -cube, cube))(x = 2.0)[x] == 5.0);
static_assert(gradient(x * floor(cube))(x = 2.0)[x] == 8.0);
static_assert(hessian(custom_gradient(cube, {x = 3_c * x * x}))(x = 2.0)(x, x) == 12.0);
static_assert(!depends_on<decltype(custom_gradient(x * y, {x = y})), Variable<"y">>);
// A Hessian is the derivative of the gradient that is clipped: 8 x y^2 where it is not, at the limit none.
constexpr auto clipped_square = square(grad_clip(x * x, -20, 20));
static_assert(hessian(clipped_square)(x = 2.0)(x, x) == 48.0 && hessian(clipped_square)(x = 4.0)(x, x) == 40.0);
static_assert(hvp(clipped_square, tangent(x = 1.0))(x = 4.0)[x] == 40.0);
// Of functions all are of one type, and braces hold any number of pairs.
constexpr auto custom = [](auto a, auto b) { return custom_gradient(a * b, {{a, b * b}, {b, 2.0 * a}}); };
static_assert(gradient(custom)(2.0, 3.0) == std::tuple(9.0, 4.0));
static_assert(gradient([](auto a) { return custom_gradient(a * a, {{a, 0.25}}); })(2.0) == 0.25);

// The adjoint is clipped, of a structure that of each number: d/dx of x^2 y is 12, d/dy is 4.
constexpr auto clipped = grad_clip(std::tuple(x, y), -5, 5);
constexpr auto of_clipped = gradient(square(std::get<0>(clipped)) * std::get<1>(clipped))(x = 2.0, y = 3.0);
static_assert(of_clipped[x] == 5.0 && of_clipped[y] == 4.0);
static_assert(gradient([](auto v) {
                const auto c = grad_clip(v, -5, 5);
                return c[0] * c[0] * c[1];
              })(std::array{2.0, 3.0}) == std::array{5.0, 4.0});
static_assert(gradient([](auto a) { return grad_clip(a, -a, a) * 8.0; })(2.0) == 2.0);
// Equal ones are one, which clips the sum of their adjoints: 0.5 + 0.75, and 0.5 in each step.
static_assert(gradient([](auto a) { return grad_clip(a, -1, 1) * 0.5 + grad_clip(a, -1, 1) * 0.75; })(2.0) == 1.0);
static_assert(gradient(
                  [](auto a, auto n) {
                    return scan([&](auto sum, auto) { return sum + grad_clip(a, -1, 1) * 0.5; }, 0.0 * a, steps(n));
                  },
                  wrt<0>)(2.0, 4) == 1.0);

constexpr auto scaled = grad_scale(std::array{x, x}, 3);
static_assert(gradient(scaled[0] + scaled[1])(x = 2.0)[x] == 6.0);
constexpr auto reversed = [](auto p) {
  const auto r = grad_reverse(p);
  return r.a * p.b;
};
static_assert(gradient(reversed)(point<double>{2.0, 3.0}).a == -3.0);
static_assert(gradient(reversed)(point<double>{2.0, 3.0}).b == 2.0);

constexpr auto through = straight_through(std::tuple(round(x), floor(y)), std::tuple(x, y));
static_assert(gradient(std::get<0>(through) * std::get<1>(through))(x = 2.25, y = 3.5)[y] == 2.0);
static_assert(gradient([](auto v) {
                const auto q = straight_through(std::array{round(v[0]), floor(v[1])}, v);
                return q[0] * q[1];
              })(std::array{2.25, 3.5}) == std::array{3.0, 2.0});
static_assert(gradient([](auto p) {
                const auto q = straight_through(point<decltype(p.a)>{round(p.a), p.b}, p);
                return q.a * q.a;
              })(point<double>{1.25, 3})
                  .a == 2.0);

static_assert(std::get<0>(prevent_gradient<"a reason">(std::tuple(x, 2)))(x = 2.0) == 2.0);
static_assert(gradient([](auto p) {
                const auto guarded = stop_gradient(prevent_gradient<"a reason">(p));
                return guarded.a * p.b;
              })(point<double>{2.0, 3.0})
                  .b == 2.0);

// What has no derivative passes: constants and numbers, integers and bools keep their type.
static_assert(std::is_same_v<decltype(grad_clip(2, 0, 1)), int> && grad_clip(2, 0, 1) == 2);
static_assert(std::is_same_v<decltype(grad_reverse(true)), bool>);
static_assert(std::get<1>(grad_scale(std::tuple(x, 2), 3)) == 2);
static_assert(straight_through(1.0, 2.0) == 1.0);
static_assert(gradient(straight_through(3, x))(x = 1.0)[x] == 1.0);

// freeze and stop_gradients name variables and subexpressions of formulas; of functions wrt<...> names what moves.
static_assert(gradient(freeze<"x">(x * x * y))(x = 2.0, y = 3.0)[x] == 0.0);
static_assert(gradient(x * sin(y) + y, wrt(y), stop_gradients(sin(y)))(x = 2.0, y = 3.0)[y] == 1.0);
static_assert(gradient([](auto a, auto b) { return a * a * b; }, wrt<1>)(2.0, 3.0) == 4.0);

// A Jacobian with more rows than columns sweeps backward where adjoints are clipped, in loops, calls and those in them
// too.
constexpr auto clip = [](auto c) { return 3 * grad_clip(c, -0.5, 0.5); };
constexpr auto twice = [](auto c) { return std::array{c, 2 * c}; };
constexpr auto in_loop = [](auto p, auto n) { return twice(scan([](auto c, auto) { return clip(c); }, p, steps(n))); };
constexpr auto in_call = [](auto p) { return twice(call(clip, p)); };
constexpr auto in_both = [](auto p, auto n) {
  return twice(scan([](auto c, auto) { return call(clip, c); }, p, steps(n)));
};
constexpr std::array<std::array<double, 1>, 2> half{{{0.5}, {0.5}}};
static_assert(jacobian(in_loop, wrt<0>)(1.0, 1) == half);
static_assert(jacobian(in_call)(1.0) == half);
static_assert(jacobian(in_both, wrt<0>)(1.0, 1) == half);
static_assert(sparse_jacobian(in_call)(1.0)(1, 0) == 0.5);
// Behind a stop nothing is clipped, and tangents pass.
constexpr auto behind_stop = [](auto c) { return c * stop_gradient(clip(c)); };
static_assert(jvp([](auto p) { return call(behind_stop, p); }, tangent(1.0))(2.0) == 6.0);

// The value is a plain number.
static_assert(gradient([](auto p) { return custom_gradient(1.0, {{p, 2 * p}}); })(3.0) == 6.0);
static_assert(gradient(custom_gradient(2, {x = y}))(x = 1.0, y = 4.0)[x] == 4.0);

}  // namespace
