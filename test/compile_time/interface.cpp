// Every spelling of the interface without tensors, for formulas and for functions. Compiling is passing; that the
// results are right, the other tests show.
#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

#include <array>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>

namespace {

constexpr auto x = tapeless::variable<"x">;
constexpr auto y = tapeless::variable<"y">;
constexpr auto w = tapeless::variable<"w">;
constexpr auto b = tapeless::variable<"b">;
static_assert(std::is_empty_v<decltype(x)> && std::is_same_v<decltype(x), const tapeless::Variable<"x">>);

using namespace tapeless;

template <class E>
constexpr bool is_formula(const E&) {
  return Expression<E>;
}

// Constants, numbers, operations.
static_assert((2_c * x)(x = 1.0) == 2.0 && (constant<2> * x)(x = 1.0) == 2.0 && (constant<1, 4> * x)(x = 2.0) == 0.5);
static_assert((2.5 * x + 1 - y / x)(x = 2.0, y = 4.0) == 4.0 && (-x)(x = 1.0) == -1.0);
constexpr auto every_operation = [](auto u, auto v) {
  return std::array{pow(u, v),
                    pow(u, constant<3>),
                    square(u),
                    sqrt(u),
                    cbrt(u),
                    hypot(u, v),
                    exp(u),
                    exp2(u),
                    expm1(u),
                    log(u),
                    log2(u),
                    log10(u),
                    log1p(u),
                    sin(u),
                    cos(u),
                    tan(u),
                    asin(u),
                    acos(u),
                    atan(u),
                    atan2(u, v),
                    sinh(u),
                    cosh(u),
                    tanh(u),
                    asinh(u),
                    acosh(u + 1),
                    atanh(u),
                    erf(u),
                    erfc(u),
                    lgamma(u),
                    abs(u),
                    sign(u),
                    floor(u),
                    ceil(u),
                    round(u),
                    max(u, v),
                    max(u, v, 0.5),
                    min(u, v),
                    min(u, v, 0.5),
                    clamp(u, 0, 1),
                    relu(u),
                    sigmoid(u),
                    softplus(u),
                    norm(u, v),
                    norm(u, v, 1),
                    logsumexp(u, v),
                    where(u < v && u <= v, u, v),
                    where(u > v || u >= v, u, v),
                    where(u == v, u, v),
                    where(!(u != v), u, v)};
};
const auto of_arguments = jacobian(every_operation)(0.25, 0.5);
constexpr auto every_formula = [](auto u, auto v) {
  return outputs(pow(u, v), pow(u, constant<3>), square(u), sqrt(u), cbrt(u), hypot(u, v), exp(u), exp2(u), expm1(u),
                 log(u), log2(u), log10(u), log1p(u), sin(u), cos(u), tan(u), asin(u), acos(u), atan(u), atan2(u, v),
                 sinh(u), cosh(u), tanh(u), asinh(u), acosh(u + 1), atanh(u), erf(u), erfc(u), lgamma(u), abs(u),
                 sign(u), floor(u), ceil(u), round(u), max(u, v), max(u, v, 0.5), min(u, v), min(u, v, 0.5),
                 clamp(u, 0, 1), relu(u), sigmoid(u), softplus(u), norm(u, v), norm(u, v, 1), logsumexp(u, v),
                 where(u < v && u <= v, u, v), where(u > v || u >= v, u, v), where(u == v, u, v),
                 where(!(u != v), u, v));
}(x, y);
const auto of_formulas = jacobian(every_formula, wrt(x, y))(x = 0.25, y = 0.5);

// Stops and gradient surgery.
static_assert(std::is_same_v<decltype(stop_gradient(x * y)), StopGradient<decltype(x * y)>>);
static_assert(std::is_same_v<decltype(stop_gradient(x * y)), decltype(StopGradient{x * y})>);
static_assert(is_formula(stop_gradient<"target">(x)) && stop_gradient<"target">(x)(x = 1.0) == 1.0);
template <class T>
struct parameters {
  BOOST_HANA_DEFINE_STRUCT(parameters, (T, scale), (T, shift));
};
static_assert(is_formula(std::get<0>(stop_gradient(std::tuple(x, y)))));
static_assert(is_formula(stop_gradient(std::array{x, x})[0]));
static_assert(gradient([](auto p) { return stop_gradient(p).scale * p.shift; })(parameters<double>{2, 3}).shift == 2.0);
static_assert(is_formula(prevent_gradient<"reason">(x)) && is_formula(grad_scale(x, 2)) &&
              is_formula(grad_reverse(x)) && is_formula(grad_clip(x, -1, 1)) &&
              is_formula(straight_through(round(x), x)) && is_formula(custom_gradient(x * y, {x = y})) &&
              is_formula(custom_gradient(x * y, x = y, y = x)) && is_formula(freeze<"w", "b">(w * x + b)));
struct step : named<step, decltype(x * x)> {};
static_assert(is_formula(step{}) && step{}(x = 3.0) == 9.0);

// Verbs of formulas.
constexpr auto f = x * x * y;
static_assert(f(y = 2.0, x = 3.0) == 18.0);
static_assert(gradient(f, wrt(x, y))(x = 3.0, y = 2.0)[x] == 12.0 && gradient(f)(x = 3.0, y = 2.0)[y] == 9.0);
constexpr bool bound = [] {
  const auto result = value_and_gradient(f, wrt(x))(x = 3.0, y = 2.0);
  const auto [value, slopes] = result;
  return result.value == value && result.gradient[x] == slopes[x];
}();
static_assert(bound);
static_assert(hessian(f, wrt(x, y))(x = 3.0, y = 2.0)(x, y) == 6.0 && hessian(f)(x = 3.0, y = 2.0)(y, x) == 6.0);
static_assert(jacobian(outputs(f, y), wrt(x, y))(x = 3.0, y = 2.0)(0_c, x) == 12.0);
static_assert(jacobian(outputs(f, y))(x = 3.0, y = 2.0)(1, y) == 1.0);
static_assert(value_and_jacobian(outputs(f, y), wrt(x, y))(x = 3.0, y = 2.0).value[1] == 2.0);
static_assert(value_and_jacobian(outputs(f, y), wrt(x, y))(x = 3.0, y = 2.0).jacobian(0, y) == 9.0);
static_assert(jvp(f, tangent(x = 1.0))(x = 3.0, y = 2.0) == 12.0);
static_assert(jvp(outputs(f, y), tangent(x = 1.0, y = 2.0))(x = 3.0, y = 2.0)[1] == 2.0);
static_assert(vjp(outputs(f, y), cotangent(1.0, 2.0))(x = 3.0, y = 2.0)[y] == 11.0);
static_assert(vjp(f, cotangent(2.0))(x = 3.0, y = 2.0)[x] == 24.0);
static_assert(vjp(outputs(f, y), wrt(x), cotangent(1.0, 2.0))(x = 3.0, y = 2.0)[x] == 12.0);
static_assert(hvp(f, tangent(x = 1.0))(x = 3.0, y = 2.0)[y] == 6.0);
static_assert(hvp(f, wrt(x), tangent(x = 1.0))(x = 3.0, y = 2.0)[x] == 4.0);
static_assert(sparse_jacobian(outputs(f, y), wrt(x, y))(x = 3.0, y = 2.0)(1, y) == 1.0);
static_assert(sparse_hessian(f, wrt(x, y))(x = 3.0, y = 2.0)(x, y) == 6.0);
static_assert(sparsity(hessian(f)).entries == 2 && sparsity(jacobian(outputs(f, y))).rows == 2);
static_assert(derivative(f, x)(x = 3.0, y = 2.0) == 12.0);
static_assert(std::is_same_v<derivative_t<decltype(stop_gradient(f)), decltype(x)>, Zero>);
static_assert(gradient(f, wrt(x), unconnected::strict)(x = 3.0, y = 2.0)[x] == 12.0);
static_assert(gradient(f, wrt(x), unconnected::structural)(x = 3.0, y = 2.0)[x] == 12.0);
static_assert(
    std::is_same_v<decltype(gradient(f, wrt(w), unconnected::materialise)(x = 3.0, y = 2.0)[w]), const double&>);
static_assert(gradient(f, wrt(x), stop_gradients(x* x, y))(x = 3.0, y = 2.0)[x] == 0.0);
static_assert(depends_on<decltype(f), decltype(x)> && !is_stopped<decltype(f), decltype(x)>);
static_assert(cost(f) == operation_counts{.multiplications = 2} && cost(gradient(f)).total() == 3);
static_assert(cost(jvp(f, tangent(x = 1.0))).total() > 0 && cost(hvp(f, tangent(x = 1.0))).total() > 0 &&
              cost(vjp(f, cotangent(1.0))).total() > 0 && cost(jacobian(outputs(f))).total() == 3 &&
              cost(sparse_hessian(f)) == cost(hessian(f)));

// Verbs of functions.
constexpr auto g = [](auto u, auto v) { return u * u * v; };
constexpr auto h = [](auto u, auto v) { return std::array{u * u * v, v}; };
static_assert(gradient(g)(3.0, 2.0) == std::tuple(12.0, 9.0) && gradient(g, wrt<0>)(3.0, 2.0) == 12.0);
static_assert(gradient(g, wrt<1, 0>)(3.0, 2.0) == std::tuple(9.0, 12.0));
static_assert(gradient([](auto a) { return a[0] * a[1]; })(std::array{2.0, 3.0}) == std::array{3.0, 2.0});
static_assert(value_and_gradient(g)(3.0, 2.0).value == 18.0 &&
              value_and_gradient(g, wrt<0>)(3.0, 2.0).gradient == 12.0);
static_assert(hessian(g)(3.0, 2.0)[0][1] == 6.0 && hessian(g, wrt<0>)(3.0, 2.0)[0][0] == 4.0);
static_assert(jacobian(h)(3.0, 2.0)[1][1] == 1.0 && jacobian(h, wrt<1>)(3.0, 2.0)[0][0] == 9.0);
constexpr auto moved = [](auto a, auto c) { return std::array{a[0] * c, a[1] * c, a[0] * a[1]}; };
constexpr auto with_value = value_and_jacobian(moved, wrt<0>)(std::array{2.0, 3.0}, 5.0);
static_assert(std::is_same_v<decltype(with_value.value), std::array<double, 3>> && with_value.value[2] == 6.0);
static_assert(std::is_same_v<decltype(with_value.jacobian), std::array<std::array<double, 2>, 3>>);
static_assert(with_value.jacobian[2][0] == 3.0 && with_value.jacobian[1][1] == 5.0);
static_assert(jvp(g, tangent(1.0, 0.0))(3.0, 2.0) == 12.0 && jvp(h, tangent(1.0, 0.5))(3.0, 2.0)[1] == 0.5);
static_assert(vjp(h, cotangent(1.0, 2.0))(3.0, 2.0) == std::tuple(12.0, 11.0));
static_assert(vjp(h, wrt<1>, cotangent(std::array{1.0, 2.0}))(3.0, 2.0) == 11.0);
static_assert(std::get<1>(hvp(g, tangent(1.0, 0.0))(3.0, 2.0)) == 6.0);
static_assert(sparse_jacobian(h)(3.0, 2.0).values == std::array{12.0, 9.0, 1.0});
static_assert(sparse_hessian(g)(3.0, 2.0).values == std::array{4.0, 6.0});
static_assert(sparsity<double, double>(jacobian(h)).entries == 3 && sparsity<double, double>(hessian(g)).entries == 2);
static_assert(cost<double, double>(gradient(g)).total() == 3 &&
              cost<double, double>(vjp(h, cotangent(1.0, 2.0))).total() > 0);
static_assert(cost<double, double>(hvp(g, tangent(1.0, 0.0))).total() > 0);
static_assert(gradient(g)(parameters<float>{3, 2}.scale, 2.0f) == std::tuple(12.0f, 9.0f));
static_assert(gradient([](auto p) { return p.scale * p.shift; })(parameters<float>{3, 2}).scale == 2.0f);

}  // namespace

// Printing: strings, and into streams.
std::string every_print() {
  std::ostringstream stream;
  stream << f << check_gradient(f)(x = 1.0, y = 2.0) << check_gradient(g)(1.0, 2.0) << cost(f) << text(f) << latex(f)
         << dot(f) << dot<double, double>(g);
  text(stream, f);
  latex(stream, f);
  dot(stream, f);
  return stream.str() + std::to_string(of_arguments[0][0] + of_formulas(0, x));
}
