// What an engineer's code brings along: functions that are called with plain numbers too, lists of variables, functions
// with data, plain structs, functors of Ceres.
#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tt = boost::test_tools;

namespace user {

// A directive in the function, as the documentation has it.
constexpr auto piecewise = [](auto x) {
  using namespace tapeless;
  return where(x > 0, exp(x), square(x));
};

using tapeless::clamp;
using tapeless::logsumexp;
using tapeless::max;
using tapeless::min;
using tapeless::norm;
using tapeless::relu;
using tapeless::sigmoid;
using tapeless::softplus;
using tapeless::stop_gradient;
using tapeless::where;
// Those of the library that are the standard's by name are named in full: of a double, C's are found else.
constexpr auto many = [](auto x, auto y) {
  return sigmoid(x) + max(x, y, 0.5) * min(x, y) + norm(x, y) + logsumexp(x, y, 1) + clamp(x, 0.0, 1.0) + relu(-y) +
         softplus(y) + tapeless::pow(x, 2) + tapeless::hypot(x, y) + tapeless::atan2(y, x) + tapeless::sin(x) +
         stop_gradient(y) + where(x < y, 2, 3) / 4 + tapeless::lgamma(y) + tapeless::sqrt(4);
};
template <class T>
T expected(T x, T y) {
  return 1 / (1 + std::exp(-x)) + std::fmax(std::fmax(x, y), T(0.5)) * std::fmin(x, y) + std::sqrt(x * x + y * y) +
         std::log(std::exp(x) + std::exp(y) + std::exp(T(1))) + std::fmin(std::fmax(x, T(0)), T(1)) +
         std::fmax(-y, T(0)) + std::log(1 + std::exp(y)) + x * x + std::hypot(x, y) + std::atan2(y, x) + std::sin(x) +
         y + (x < y ? T(2) : T(3)) / 4 + std::lgamma(y) + 2;
}

constexpr auto surgery = [](auto x) {
  using namespace tapeless;
  return grad_scale(x, 3) + grad_reverse(x) + grad_clip(x, -1, 1) + straight_through(tapeless::round(x), x) +
         custom_gradient(x * x, {{x, 5 * x}}) + prevent_gradient<"none">(x) * 2;
};

}  // namespace user

BOOST_AUTO_TEST_CASE(functions_of_plain_numbers) {
  BOOST_TEST(user::piecewise(-3.0) == 9.0);
  BOOST_TEST(user::piecewise(2.0) == std::exp(2.0));
  BOOST_TEST(tapeless::gradient(user::piecewise)(-3.0) == -6.0);
  static_assert(std::is_same_v<decltype(user::piecewise(-3.0f)), float>);
  static_assert(tapeless::sigmoid(0.0) == 0.5 && tapeless::max(1.0, 3.0, 2.0) == 3.0 && tapeless::pow(2.0, 3) == 8.0 &&
                tapeless::exp(0.0) == 1.0 && tapeless::square(3) == 9.0);

  for (const double x : {1.5, 0.25, 3.0}) {
    BOOST_TEST(user::many(x, 2.5) == user::expected(x, 2.5), tt::tolerance(1e-15));
    BOOST_TEST(user::many(x, 2.5) == tapeless::value_and_gradient(user::many)(x, 2.5).value, tt::tolerance(1e-15));
  }
  static_assert(user::many(1.5, 2.5) > 0);
  // A literal is a double, as elsewhere in C++.
  BOOST_TEST(static_cast<float>(user::many(1.5f, 2.5f)) == user::expected(1.5f, 2.5f), tt::tolerance(1e-6f));
  static_assert(std::is_same_v<decltype(tapeless::hypot(1.5f, 2.5f)), float>);

  BOOST_TEST(user::surgery(1.75) == 1.75 - 0 + 1.75 + 1.75 + 2 + 1.75 * 1.75 + 3.5);

  using wide = boost::multiprecision::cpp_bin_float_50;
  const wide third = wide(1) / 3;
  BOOST_TEST(abs(tapeless::sigmoid(third) - 1 / (1 + exp(-third))) < wide("1e-48"));
  BOOST_TEST(abs(tapeless::max(third, third + 1) - third - 1) == 0);
}

// Constants beside numbers count as numbers; numbers alone that are no reals count as doubles.
BOOST_AUTO_TEST_CASE(types_of_plain_numbers) {
  using namespace tapeless;
  static_assert(std::is_same_v<decltype(max(2.5f, 1_c)), float>);
  static_assert(std::is_same_v<decltype(where(true, 1_c, 0_c)), double>);
  static_assert(std::is_same_v<decltype(where(true, 1, 2)), double>);
  static_assert(std::is_same_v<decltype(where(true, false, true)), bool>);
  static_assert(max(2.5f, 1_c) == 2.5f && where(false, 1_c, 0_c) == 0.0 && tapeless::pow(3.0, 2_c) == 9.0);
  BOOST_TEST(std::isnan(max(std::nan(""), 1.0)));
}

namespace standard {

// Both namespaces: where both have a function of numbers, the standard's is called.
using namespace std;
using namespace tapeless;
const auto numbers = std::tuple(sqrt(2), pow(2.0, 3), pow(2, 3), exp(1), abs(-2.5), max(2, 3), hypot(3, 4), atan2(1, 2),
                                sqrt(2.0f), clamp(7, 1, 5), sigmoid(0.0));
static_assert(is_same_v<remove_cvref_t<decltype(max(2, 3))>, int>);
static_assert(is_same_v<decltype(sqrt(2.0f)), float>);

}  // namespace standard

BOOST_AUTO_TEST_CASE(with_the_standard_library) {
  BOOST_TEST(std::get<1>(standard::numbers) == 8.0);
  BOOST_TEST(std::get<4>(standard::numbers) == 2.5);
  BOOST_TEST(std::get<6>(standard::numbers) == 5.0);
  BOOST_TEST(std::get<9>(standard::numbers) == 5);
}

namespace regression {

struct line {
  BOOST_HANA_DEFINE_STRUCT(line, (double, slope), (double, offset));
};

}  // namespace regression

BOOST_AUTO_TEST_CASE(lists_of_variables) {
  using namespace tapeless;
  constexpr auto w = variable<"w">;
  constexpr auto b = variable<"b">;
  constexpr auto x = variable<"x">;
  constexpr auto parameters = variables(w, b);
  constexpr auto f = square(w * x + b);
  constexpr regression::line p{2, 1};
  // (2 * 3 + 1)^2, 2 * 7 * 3, 2 * 7
  constexpr auto r = value_and_gradient(f, wrt(parameters))(x = 3.0, parameters = p);
  static_assert(r.value == 49 && r.gradient[w] == 42 && r.gradient[b] == 14);
  static_assert(r.gradient[parameters] == std::tuple(42.0, 14.0));
  static_assert(f(parameters = std::array{2.0, 1.0}, x = 3.0) == 49);
  static_assert(jvp(f, tangent(parameters = std::tuple(1.0, 1.0)))(parameters = p, x = 3.0) == 56);
  static_assert(std::is_same_v<decltype(wrt(parameters, x)), decltype(wrt(w, b, x))>);
  constexpr auto next = transform_leaves([](double a, double da) { return a - da; }, p, r.gradient[parameters]);
  static_assert(next.slope == -40 && next.offset == -13);
  const auto [gw, gb] = gradient(f, wrt(w, b))(parameters = std::tuple(2.0, 1.0), x = 3.0);
  BOOST_TEST(gw == 42);
  BOOST_TEST(gb == 14);
  const auto [absent, gx] = gradient(square(x), wrt(w, x))(x = 3.0);
  static_assert(std::is_same_v<std::remove_const_t<decltype(absent)>, Zero>);
  BOOST_TEST(gx == 6);
}

namespace camera {

/// The pinhole projection of a point before a camera with focal length and radial distortion, and a measurement.
template <class N>
struct reprojection {
  N u, v;

  template <class C, class P>
  constexpr auto operator()(const C& c, const P& p) const {
    const auto x = (p[0] + c[0]) / (p[2] + c[2]), y = (p[1] + c[1]) / (p[2] + c[2]);
    const auto r = x * x + y * y, scale = c[3] * (1 + c[4] * r);
    return std::array{scale * x - u, scale * y - v};
  }
};

/// The same as Ceres has it.
template <class N>
struct residual {
  N u, v;

  template <class T>
  constexpr bool operator()(const T* const c, const T* const p, T* residuals) const {
    using std::sqrt;
    const T x = (p[0] + c[0]) / (p[2] + c[2]), y = (p[1] + c[1]) / (p[2] + c[2]);
    const T norm = sqrt(x * x + y * y), scale = c[3] * (T(1.0) + c[4] * norm * norm);
    residuals[0] = scale * x - u;
    residuals[1] = scale * y - v;
    return true;
  }
};
struct without_members {
  template <class T>
  constexpr bool operator()(const T* x, T* residual) const {
    residual[0] = x[0] - 10.0 * x[1];
    return true;
  }
};

constexpr std::array c{0.25, -0.5, 4.0, 2.0, 0.125};
constexpr std::array p{1.0, 2.0, 1.0};

/// Differences of the projection in doubles, central.
std::array<std::array<double, 8>, 2> by_differences(const reprojection<double>& f) {
  std::array<double, 8> at{c[0], c[1], c[2], c[3], c[4], p[0], p[1], p[2]};
  std::array<std::array<double, 8>, 2> result{};
  const auto value = [&](std::size_t i, double step) {
    auto moved = at;
    moved[i] += step;
    return f(std::array{moved[0], moved[1], moved[2], moved[3], moved[4]}, std::array{moved[5], moved[6], moved[7]});
  };
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      constexpr double h = 1e-3;
      const double near = value(i, h)[k] - value(i, -h)[k], far = value(i, 2 * h)[k] - value(i, -2 * h)[k];
      result[k][i] = (8 * near - far) / (12 * h);
    }
  return result;
}

}  // namespace camera

BOOST_AUTO_TEST_CASE(functions_with_data) {
  using namespace tapeless;
  constexpr auto f = [](auto x, auto y, const auto& k) { return k[0] * x * x + k[1] * y; };
  constexpr auto bound = bind_back(f, std::array{3.0, 4.0});
  static_assert(bound(2.0, 1.0) == 16);
  static_assert(gradient(bound)(2.0, 1.0) == std::tuple(12.0, 4.0));
  static_assert(gradient(bound, wrt<0>)(2.0, 1.0) == 12);
  static_assert(std::get<1>(gradient(bound, wrt<0, 2>)(2.0, 1.0)) == std::array{4.0, 1.0});
  static_assert(value_and_gradient(bound)(2.0, 1.0).value == 16);
  static_assert(hessian(bound)(2.0, 1.0) == std::array{std::array{6.0, 0.0}, std::array{0.0, 0.0}});
  static_assert(jvp(bound, tangent(1.0, 1.0))(2.0, 1.0) == 16);
  static_assert(hvp(bound, tangent(1.0, 1.0))(2.0, 1.0) == std::tuple(6.0, 0.0));
  static_assert(vjp(bound, cotangent(2.0))(2.0, 1.0) == std::tuple(24.0, 8.0));
  static_assert(sparse_hessian(bound)(2.0, 1.0).values == std::array{6.0});
  static_assert(gradient(bind_back([](auto x, auto k) { return k * x; }, 3.0))(2.0) == 3);
  // No derivative by the data is computed, no NaN comes from there.
  static_assert(jvp(bind_back([](auto x, auto k) { return x * sqrt(k); }, 0.0), tangent(1.0))(2.0) == 0);
  // Copied, or read at each call.
  std::array k{3.0, 4.0};
  const auto copied = gradient(bind_back(f, k));
  const auto read = gradient(bind_back(f, std::ref(k)));
  k[1] = 5;
  BOOST_TEST(std::get<1>(copied(2.0, 1.0)) == 4);
  BOOST_TEST(std::get<1>(read(2.0, 1.0)) == 5);
}

BOOST_AUTO_TEST_CASE(function_objects_with_members) {
  using namespace tapeless;
  const camera::reprojection<double> f{0.5, 0.75};
  const auto expected = camera::by_differences(f);
  const auto r = value_and_jacobian(f)(camera::c, camera::p);
  const auto unchanged =
      value_and_jacobian(from_ceres<2, 5, 3>(camera::residual<double>{0.5, 0.75}))(camera::c, camera::p);
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST(r.value[k] == f(camera::c, camera::p)[k], tt::tolerance(1e-15));
    BOOST_TEST(unchanged.value[k] == r.value[k], tt::tolerance(1e-15));
    for (std::size_t i = 0; i < 8; ++i) {
      BOOST_TEST(r.jacobian[k][i] == expected[k][i], tt::tolerance(1e-9));
      BOOST_TEST(unchanged.jacobian[k][i] == expected[k][i], tt::tolerance(1e-9));
    }
  }
  // The members are the argument after the last.
  constexpr auto by_members = jacobian(camera::reprojection<double>{0.5, 0.75}, wrt<2>)(camera::c, camera::p);
  static_assert(by_members == std::array{std::array{-1.0, 0.0}, std::array{0.0, -1.0}});
  static_assert(jacobian(from_ceres<1, 2>(camera::without_members{}))(std::array{1.0, 2.0})[0][1] == -10);

  const auto [by_camera, by_point] = blocks<5, 3>(r.jacobian);
  BOOST_TEST(by_camera[1][4] == r.jacobian[1][4]);
  BOOST_TEST(by_point[1][2] == r.jacobian[1][7]);
  std::vector<double> point(6);
  double* to[] = {nullptr, point.data()};
  blocks<5, 3>(r.jacobian, to);
  BOOST_TEST(point[2] == r.jacobian[0][7]);
  BOOST_TEST(point[3] == r.jacobian[1][5]);
  blocks<5, 3>(r.jacobian, static_cast<double**>(nullptr));
}

namespace plain {

struct oscillator {
  double mass, stiffness;
};
struct settings {
  oscillator each;
  int power;
  std::array<double, 2> shift;
};
template <class T>
struct model {
  std::array<T, 2> weights;
  T bias;
};
struct base {
  double a;
};
struct derived : base {
  double b;
};
struct c_array {
  double x[3], y;
};
struct named {
  std::string name;
  double x;
};

}  // namespace plain

BOOST_AUTO_TEST_CASE(plain_structs) {
  using namespace tapeless;
  constexpr auto frequency = [](const auto& p) {
    const auto& [mass, stiffness] = p;
    return stiffness * stiffness / mass;
  };
  constexpr plain::oscillator g = gradient(frequency)(plain::oscillator{2, 3});
  static_assert(g.mass == -9.0 / 4 && g.stiffness == 3);
  constexpr plain::settings nested = gradient([](const auto& p) {
    const auto& [each, power, shift] = p;
    const auto& [mass, stiffness] = each;
    return mass * stiffness * power + shift[1];
  })(plain::settings{{2, 3}, 4, {}});
  static_assert(nested.each.mass == 12 && nested.each.stiffness == 8 && nested.power == 0 && nested.shift[1] == 1);
  constexpr auto named =
      value_and_gradient([](auto p, auto x) { return p.weights[0] * x + p.weights[1] * stop_gradient(p).bias; },
                         wrt<0>)(plain::model<double>{{2, 3}, 4}, 5.0);
  static_assert(named.value == 22 && named.gradient.weights[1] == 4 && named.gradient.bias == 0);
  constexpr auto next = transform_leaves([](double a, double da) { return a - da; }, plain::oscillator{2, 3}, g);
  static_assert(next.mass == 4.25 && next.stiffness == 0);
  static_assert(
      gradient(bind_back([](auto x, const auto& k) { return k.bias * x; }, plain::model<double>{{}, 3}))(1.0) == 3);
  static_assert(!detail::Structure<plain::derived> && !detail::Structure<plain::c_array>);
  static_assert(detail::structure<plain::named>::size == 2);
  // Vectors too, of numbers and of structs.
  const std::tuple before{1.0, std::vector{2.0, 3.0}, std::vector{plain::oscillator{4, 5}}};
  const auto half = transform_leaves([](double a, double b) { return a - b / 2; }, before, before);
  BOOST_TEST((std::get<1>(half) == std::vector{1.0, 1.5}));
  BOOST_TEST(std::get<2>(half)[0].mass == 2.0);
  BOOST_TEST(std::get<2>(half)[0].stiffness == 2.5);
  BOOST_CHECK_EXCEPTION(transform_leaves(std::plus<>(), std::vector{1.0}, std::vector{1.0, 2.0}), std::invalid_argument,
                        [](const auto& e) {
                          return std::string(e.what()) ==
                                 "tapeless: the structures of transform_leaves must have the same shape: (1) and (2)";
                        });
  // 32 members at most.
  struct many {
    double a[2], b;
  };
  static_assert(!detail::Structure<many>);

  static_assert(gradient([](auto p) { return p.first * p.second; })(std::pair{2.0, 3.0}) == std::pair{3.0, 2.0});
  constexpr auto two = value_and_jacobian([](auto x) { return std::pair{x * x, 2 * x}; })(3.0);
  static_assert(two.value == std::array{9.0, 6.0} && two.jacobian[0][0] == 6 && two.jacobian[1][0] == 2);
}

BOOST_AUTO_TEST_CASE(functions_of_arrays) {
  using namespace tapeless;
  constexpr std::array x{2.0, 3.0, 6.0};
  static_assert(sum(x) == 11 && tapeless::norm(x) == 7 && tapeless::max(x) == 6 && tapeless::min(x) == 2);
  static_assert(cumsum(x) == std::array{2.0, 5.0, 11.0} && mean(std::array{1.0, 2.0}) == 1.5);
  static_assert(gradient([](const auto& v) { return square(sum(v)) + max(v); })(x) == std::array{22.0, 22.0, 23.0});
  static_assert(gradient([](const auto& v) { return norm(v); })(x)[2] == 6.0 / 7);
  static_assert(gradient([](const auto& v) { return cumsum(v)[1] * v[2]; })(x) == std::array{6.0, 6.0, 5.0});
  const auto g = gradient([](const auto& v) { return logsumexp(v) + 3 * mean(v); })(x);
  const double e = std::exp(2.0) + std::exp(3.0) + std::exp(6.0);
  BOOST_TEST(g[1] == std::exp(3.0) / e + 1, tt::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(c_arrays_and_spans) {
  using namespace tapeless;
  constexpr auto product = [](const auto& x) { return x[0] * x[1]; };
  static constexpr double c[2] = {3, 4};
  static_assert(gradient(product)(c) == std::array{4.0, 3.0});
  static_assert(gradient(product)(std::span<const double, 2>(c)) == std::array{4.0, 3.0});
  static constexpr double m[2][2] = {{3, 4}, {5, 6}};
  static_assert(gradient([](const auto& x) { return x[0][0] * x[1][1]; })(m)[1][1] == 3);
}
