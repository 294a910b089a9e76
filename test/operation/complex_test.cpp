// Complex numbers against std::complex: every function, and by differences of it in long double the derivatives of a
// characteristic function and of an impedance.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tt = boost::test_tools;

namespace {

using wide = long double;
using number = std::complex<wide>;

void close(const tapeless::complex<double>& computed, const number& expected) {
  const wide error = std::abs(number(computed.re, computed.im) - expected);
  BOOST_TEST(static_cast<double>(error / std::fmax(std::abs(expected), 1e-300L)) < 1e-14);
}

/// Central differences of the fourth order.
template <class F>
wide slope(const F& f, wide at) {
  constexpr wide h = 1e-4L;
  return (8 * (f(at + h) - f(at - h)) - (f(at + 2 * h) - f(at - 2 * h))) / (12 * h);
}

constexpr std::array<std::array<double, 2>, 7> points{
    {{0.75, -1.25}, {-2.5, 0.5}, {-0.5, -3.0}, {1.5, 0.25}, {0.25, 2.0}, {0.0, 1.0}, {0.0, -2.0}}};

/// f and its partial derivatives against those of std::complex.
#define CHECK_COMPLEX(...)                                                                                             \
  for (const auto& [a, b] : points) BOOST_TEST_CONTEXT(#__VA_ARGS__ " at " << a << ", " << b) {                        \
      const auto exact = [](const number& z) { return number(__VA_ARGS__); };                                          \
      const auto f = [](const auto& z) { return __VA_ARGS__; };                                                        \
      close(f(tapeless::complex{a, b}), exact({a, b}));                                                                \
      const auto j = tapeless::value_and_jacobian(f)(tapeless::complex{a, b});                                         \
      close({j.value[0], j.value[1]}, exact({a, b}));                                                                  \
      for (const bool imaginary : {false, true})                                                                       \
        for (std::size_t by = 0; by < 2; ++by) {                                                                       \
          const auto along = [&, x0 = a, y0 = b](wide x) {                                                             \
            const number w = exact(by == 0 ? number(x, y0) : number(x0, x));                                           \
            return imaginary ? w.imag() : w.real();                                                                    \
          };                                                                                                           \
          const double expected = static_cast<double>(slope(along, by == 0 ? a : b));                                  \
          BOOST_TEST(std::abs(j.jacobian[imaginary][by] - expected) < 1e-10 * std::fmax(1.0, std::abs(expected)));     \
        }                                                                                                              \
    }

}  // namespace

BOOST_AUTO_TEST_CASE(functions){CHECK_COMPLEX(exp(z)) CHECK_COMPLEX(log(z)) CHECK_COMPLEX(sqrt(z)) CHECK_COMPLEX(sin(z))
                                    CHECK_COMPLEX(cos(z)) CHECK_COMPLEX(tan(z)) CHECK_COMPLEX(sinh(z))
                                        CHECK_COMPLEX(cosh(z)) CHECK_COMPLEX(tanh(z)) CHECK_COMPLEX(conj(z) * z + z)
                                            CHECK_COMPLEX((z - conj(z)) / (z * z)) CHECK_COMPLEX(pow(z, z))
                                                CHECK_COMPLEX(-z / conj(z) + z)}

// sqrt' = 1 / (2 sqrt): on the cut, at -4, that is -i/4 above it and i/4 below it. sqrt'' = -1 / (4 z sqrt).
BOOST_AUTO_TEST_CASE(root_on_its_cut) {
  constexpr auto root = [](const auto& z) { return sqrt(z); };
  constexpr auto real_part = [](const auto& z) { return sqrt(z).re; };
  for (const double side : {1.0, -1.0}) {
    const tapeless::complex z{-4.0, std::copysign(0.0, side)};
    const auto j = tapeless::jacobian(root)(z);
    BOOST_TEST((j[0][0] == 0 && j[0][1] == side / 4 && j[1][0] == -side / 4 && j[1][1] == 0));
    const auto h = tapeless::hessian(real_part)(z);
    BOOST_TEST((h[0][0] == 0 && h[0][1] == side / 32 && h[1][0] == side / 32 && h[1][1] == 0));
  }
  const auto h = tapeless::hessian(real_part)(tapeless::complex{0.0, 2.0});  // sqrt'' = (1 + i) / 16
  for (const double ratio : {h[0][0], -h[0][1], -h[1][0], -h[1][1]}) BOOST_TEST(ratio == 1. / 16, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(reals_among_complex_numbers) {
  using namespace tapeless;
  constexpr complex z{3.0, 4.0};
  static_assert(std::is_same_v<decltype(z), const complex<double>>);
  static_assert(norm(z) == 25 && conj(z).im == -4 && real(z) == 3 && imag(z) == 4);
  BOOST_TEST(abs(z) == 5);
  BOOST_TEST(arg(z) == std::arg(std::complex(3.0, 4.0)));
  static_assert((2 * z).im == 8 && (z + 1).re == 4 && (1 - z).im == -4 && (z / 2).re == 1.5 && (z == z) && !(z != z));
  static_assert(pow(z, 2_c) == complex{-7.0, 24.0} && pow(z, 0_c) == complex{1.0, 0.0});
  close(1 / z, wide(1) / number(3, 4));
  close(pow(z, 0.5), std::pow(number(3, 4), 0.5L));
  close(pow(2.0, z), std::pow(2.0L, number(3, 4)));
  close(polar(2.0, 0.75), std::polar(2.0L, 0.75L));
  // Neither a quotient nor a modulus overflows; the root stays on its side of the cut.
  const complex huge = complex{3e200, 4e200} / complex{1e200, 0.0};
  BOOST_TEST(huge.im == 4, tt::tolerance(1e-15));
  BOOST_TEST(abs(complex{3e200, 4e200}) == 5e200, tt::tolerance(1e-15));
  BOOST_TEST(sqrt(complex{-4.0, 0.0}).im == 2);
  BOOST_TEST(sqrt(complex{-4.0, -0.0}).im == -2);
  BOOST_TEST(sqrt(complex{0.0, 0.0}).re == 0);
  BOOST_TEST(tanh(complex{800.0, 1.0}).re == 1);
  BOOST_TEST(pow(complex{0.0, 0.0}, complex{2.0, 1.0}).re == 0);
  // In constant expressions, which cannot divide by 0, too.
  constexpr complex zero{0.0, 0.0};
  static_assert(sqrt(zero) == zero && pow(zero, 2.0) == zero && pow(zero, complex{2.0, 1.0}) == zero);
  complex sum{1.0, 0.0};
  sum += z;
  sum *= 2;
  BOOST_TEST(sum.re == 8);
}

/// A part of std::complex's: NaN, or the same infinity or zero with its sign, or the number.
void same(double computed, double expected) {
  if (std::isnan(expected))
    BOOST_TEST(std::isnan(computed));
  else if (std::isfinite(expected) && expected != 0)
    BOOST_TEST(computed == expected, tt::tolerance(1e-14));
  else
    BOOST_TEST((computed == expected && std::signbit(computed) == std::signbit(expected)));
}

BOOST_AUTO_TEST_CASE(slopes_where_tanh_is_flat) {
  const auto check = [](const auto& f, double re, double im, const number& slope) {
    BOOST_TEST_CONTEXT("at " << re << ", " << im) {
      const auto rows = tapeless::jacobian(f)(tapeless::complex{re, im});
      const double size = static_cast<double>(std::abs(slope)), x = static_cast<double>(slope.real()),
                   y = static_cast<double>(slope.imag());
      const double expected[2][2] = {{x, -y}, {y, x}};
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < 2; ++k) BOOST_TEST(std::abs(rows[i][k] - expected[i][k]) <= 1e-12 * size);
    }
  };
  for (const double far : {0.25, 5.0, -12.5, 17.0, 20.0, 300.0, -720.0, 1e5})
    for (const double near : {0.75, 1.5, -3.0}) {
      const auto inverse_square = [](const number& c) { return wide(1) / (c * c); };
      check([](const auto& z) { return tanh(z); }, far, near, inverse_square(std::cosh(number(far, near))));
      check([](const auto& z) { return tan(z); }, near, far, inverse_square(std::cos(number(near, far))));
    }
}

// Annex G of the C standard: on an axis a function that overflows or is given an infinity stays there.
BOOST_AUTO_TEST_CASE(axes_at_infinity) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double x : {1e200, -1e200, infinity, -infinity, 800.0, -800.0, 0.0, 1.0})
    for (const double y : {0.0, -0.0, 0.5, -2.0}) {
#define CHECK_AXIS(a, b, ...)                                                                                          \
  BOOST_TEST_CONTEXT(#__VA_ARGS__ " at " << a << ", " << b) {                                                          \
    const auto f = [](const auto& z) { return __VA_ARGS__; };                                                          \
    const auto computed = f(tapeless::complex{a, b});                                                                  \
    const auto traced = tapeless::value(f)(tapeless::complex{a, b});                                                   \
    const auto expected = f(std::complex(a, b));                                                                       \
    same(computed.re, expected.real()), same(computed.im, expected.imag());                                            \
    same(traced[0], expected.real()), same(traced[1], expected.imag());                                                \
  }
      CHECK_AXIS(x, y, exp(z))
      CHECK_AXIS(x, y, sinh(z))
      CHECK_AXIS(x, y, cosh(z))
      CHECK_AXIS(y, x, sin(z))
      CHECK_AXIS(y, x, cos(z))
    }
  BOOST_TEST(exp(tapeless::complex{nan, 0.0}).im == 0);
  // The axis has the derivative of other points, d Im exp / d y = e^x, as far as that is a number.
  const auto imaginary = [](const auto& z) { return exp(z).im; };
  BOOST_TEST(tapeless::gradient(imaginary)(tapeless::complex{2.0, 0.0}).im == -std::exp(2.0));
  BOOST_TEST(tapeless::gradient(imaginary)(tapeless::complex{1e200, 0.0}).im == -std::numeric_limits<double>::max());
}

template <class T>
struct wave {
  tapeless::complex<T> amplitude;
  T scale;
};

// JAX: jax.grad(lambda z: abs(z) ** 2)(3 + 4j) is 6 - 8j, df/dx - i df/dy.
/// Selected and compared like numbers: of `z`, both parts or none.
BOOST_AUTO_TEST_CASE(selections) {
  constexpr auto selected = [](auto z, auto w) {
    using namespace tapeless;
    return std::tuple(where(z == w, z, w), where(abs(z) < 1.0, z, 7.0), where(z != 3.0, 7.0, w),
                      where(z == 3.0, 1.0, 0.0) + where(3.0 != w, 2.0, 0.0) + where(3.0 == w, 4.0, 0.0));
  };
  using std::complex;
  const auto of = [&](complex<double> z, complex<double> w) { return tapeless::value(selected)(z, w); };
  BOOST_TEST((of({0.5, 0.25}, {3.0, 0.0}) == std::array{3.0, 0.0, 0.5, 0.25, 7.0, 0.0, 4.0}));
  BOOST_TEST((of({3.0, 0.0}, {3.0, 2.0}) == std::array{3.0, 2.0, 7.0, 0.0, 3.0, 2.0, 3.0}));
  BOOST_TEST((of({3.0, 4.0}, {3.0, 4.0}) == std::array{3.0, 4.0, 7.0, 0.0, 7.0, 0.0, 2.0}));
  // |z|^2 where z is taken, else |w|^2: its gradient is 2 conj of the one taken.
  constexpr auto energy = [](auto z, auto w) { return norm(tapeless::where(real(z) > 0.0, z, w)); };
  const auto [gz, gw] = tapeless::gradient(energy)(complex{1.0, 2.0}, complex{4.0, 5.0});
  BOOST_TEST((gz == complex{2.0, -4.0} && gw == complex{0.0, 0.0}));
}

BOOST_AUTO_TEST_CASE(convention) {
  using namespace tapeless;
  constexpr auto square_of_modulus = [](const auto& z) { return norm(z); };
  constexpr complex z{3.0, 4.0};
  static_assert(gradient(square_of_modulus)(z) == complex{6.0, -8.0});
  static_assert(value_and_hessian(square_of_modulus)(z).gradient == complex{6.0, -8.0});
  static_assert(value_and_hessian(square_of_modulus)(z).hessian[1][1] == 2);
  static_assert(hvp(square_of_modulus, tangent(complex{1.0, 0.5}))(z) == complex{2.0, -1.0});
  static_assert(jvp(square_of_modulus, tangent(complex{1.0, 0.5}))(z) == 10);
  static_assert(vjp([](const auto& w) { return std::array{norm(w), w.im}; }, cotangent(1.0, 2.0))(z) ==
                complex{6.0, -10.0});
  // In a struct, and of a gradient's imaginary part, which is -2 y.
  constexpr auto g = gradient([](const auto& w) { return norm(w.amplitude) * w.scale; })(wave<double>{z, 2.0});
  static_assert(g.amplitude == complex{12.0, -16.0} && g.scale == 25);
  constexpr auto slope = [](const auto& w) { return gradient([](const auto& v) { return norm(v); })(w).im; };
  static_assert(slope(z) == -8 && gradient(slope)(z) == complex{0.0, 2.0});
}

/// The characteristic function of the logarithm of Heston's price, in the form without jumps of the logarithm
/// (Albrecher et al. 2007).
template <class Complex, class T>
constexpr auto heston(const Complex& i, const T& u, const T& kappa, const T& theta, const T& sigma, const T& rho,
                      const T& v0) {
  constexpr double t = 1.5, r = 0.03;
  const auto b = kappa - rho * sigma * u * i;
  const auto d = sqrt(b * b + sigma * sigma * (i * u + u * u));
  const auto g = (b - d) / (b + d);
  const auto e = exp(-d * t);
  const auto c = kappa * theta / (sigma * sigma) * ((b - d) * t - 2.0 * log((1.0 - g * e) / (1.0 - g)));
  return exp(i * u * r * t + c + v0 / (sigma * sigma) * (b - d) * (1.0 - e) / (1.0 - g * e));
}

BOOST_AUTO_TEST_CASE(characteristic_function_of_heston) {
  using namespace tapeless;
  const std::array<wide, 6> at{1.75L, 2.0L, 0.04L, 0.5L, -0.7L, 0.0625L};
  const auto f = [](auto u, auto kappa, auto theta, auto sigma, auto rho, auto v0) {
    const auto phi = heston(complex<decltype(u)>{0.0, 1.0}, u, kappa, theta, sigma, rho, v0);
    return std::array{phi.re, phi.im};
  };
  const auto r = value_and_jacobian(f)(1.75, 2.0, 0.04, 0.5, -0.7, 0.0625);
  // The constants of this reference are doubles times long doubles.
  const auto exact = [](const std::array<wide, 6>& p) {
    const number i(0, 1);
    const wide u = p[0], kappa = p[1], theta = p[2], sigma = p[3], rho = p[4], v0 = p[5], t = 1.5L,
               rate = static_cast<wide>(0.03);
    const number b = kappa - rho * sigma * u * i, d = std::sqrt(b * b + sigma * sigma * (i * u + u * u));
    const number g = (b - d) / (b + d), e = std::exp(-d * t);
    const number c = kappa * theta / (sigma * sigma) * ((b - d) * t - 2.0L * std::log((1.0L - g * e) / (1.0L - g)));
    return std::exp(i * u * rate * t + c + v0 / (sigma * sigma) * (b - d) * (1.0L - e) / (1.0L - g * e));
  };
  close({r.value[0], r.value[1]}, exact(at));
  for (std::size_t k = 0; k < 6; ++k)
    for (const bool imaginary : {false, true}) {
      const auto along = [&](wide x) {
        auto moved = at;
        moved[k] = x;
        return imaginary ? exact(moved).imag() : exact(moved).real();
      };
      BOOST_TEST(r.jacobian[imaginary][k] == static_cast<double>(slope(along, at[k])), tt::tolerance(1e-8));
    }
}

// R + i w L + 1 / (i w C): |Z|^2 = R^2 + x^2 with the reactance x = w L - 1 / (w C).
BOOST_AUTO_TEST_CASE(impedance) {
  using namespace tapeless;
  const auto modulus = [](auto w, auto resistance, auto inductance, auto capacitance) {
    const complex<decltype(w)> i{0.0, 1.0};
    return abs(resistance + i * w * inductance + 1 / (i * w * capacitance));
  };
  const double w = 300, resistance = 50, inductance = 0.25, capacitance = 2e-5;
  const auto [value, by] = value_and_gradient(modulus)(w, resistance, inductance, capacitance);
  const double x = w * inductance - 1 / (w * capacitance), size = std::hypot(resistance, x);
  BOOST_TEST(value == size, tt::tolerance(1e-14));
  BOOST_TEST(std::get<0>(by) == x / size * (inductance + 1 / (w * w * capacitance)), tt::tolerance(1e-14));
  BOOST_TEST(std::get<1>(by) == resistance / size, tt::tolerance(1e-14));
  BOOST_TEST(std::get<3>(by) == x / size / (w * capacitance * capacitance), tt::tolerance(1e-14));
  BOOST_TEST(modulus(w, resistance, inductance, capacitance) == size, tt::tolerance(1e-14));
}

/// A member of the standard's type beside a number.
struct phasor {
  std::complex<double> amplitude;
  double scale;
};

// std::complex as an argument, alone and in structs, arrays and vectors, which loops read; gradients are of the same
// types.
namespace {

/// df/dx - i df/dy of `f`, which takes std::complex<long double>, by differences.
template <class F>
number gradient_by_differences(F f, const number& z) {
  return {slope([&](wide x) { return f(number(x, z.imag())); }, z.real()),
          -slope([&](wide y) { return f(number(z.real(), y)); }, z.imag())};
}
template <class T>
void close(const std::complex<T>& computed, const number& expected, wide tolerance = 1e-10L) {
  BOOST_TEST(static_cast<double>(std::abs(number(computed) - expected) / std::abs(expected)) <
             static_cast<double>(tolerance));
}

/// A filter of one complex pole; its output is read by a second loop.
constexpr auto filtered = [](auto pole, auto xs) {
  const auto step = [&](auto state, auto x) {
    const auto next = state * pole + x;
    return std::pair(next, next * conj(x));
  };
  const auto [last, products] = tapeless::scan(step, tapeless::complex{0.0, 0.0}, xs);
  const auto add = [](auto total, auto y) { return total + y.re * exp(y.im / 10); };
  return tapeless::scan(add, norm(last), products);
};
wide filtered_of_standard(const number& pole, const std::vector<number>& xs) {
  number state = 0;
  wide total = 0;
  for (const number& x : xs) {
    state = state * pole + x;
    const number y = state * std::conj(x);
    total += y.real() * std::exp(y.imag() / 10);
  }
  return total + std::norm(state);
}
const std::vector<number> given{{1, 2}, {3, -1}, {-0.5L, 0.25L}};

}  // namespace

BOOST_AUTO_TEST_CASE(standard_numbers) {
  using namespace tapeless;
  constexpr auto f = [](auto w, auto t) { return norm(exp(w * t)) + w.re; };
  const auto exact = [](const number& w, wide t) { return std::norm(std::exp(w * t)) + w.real(); };
  const std::complex<double> z(0.5, -1.0);
  const auto [value, by] = value_and_gradient(f)(z, 1.5);
  BOOST_TEST(value == static_cast<double>(exact(z, 1.5L)), tt::tolerance(1e-14));
  // The imaginary part is -df/dy = 0.
  BOOST_TEST(std::get<0>(by).real() == static_cast<double>(slope([&](wide x) { return exact({x, -1}, 1.5L); }, 0.5L)),
             tt::tolerance(1e-10));
  BOOST_TEST(std::get<0>(by).imag() == 0);
  const auto by_float = gradient([](auto w) { return norm(w * w); })(std::complex<float>(z));
  static_assert(std::is_same_v<decltype(by_float), const std::complex<float>>);
  close(by_float, 4 * std::norm(number(z)) * std::conj(number(z)), 1e-6L);

  constexpr auto of_struct = [](auto p) {
    const auto [amplitude, scale] = p;
    return norm(amplitude * amplitude + scale);
  };
  const phasor by_struct = gradient(of_struct)(phasor{z, 2.0});
  close(by_struct.amplitude,
        gradient_by_differences([](const number& w) { return std::norm(w * w + wide(2)); }, number(z)));
  BOOST_TEST(by_struct.scale == static_cast<double>(2 * (number(z) * number(z) + wide(2)).real()),
             tt::tolerance(1e-14));
  const auto by_array = gradient([](auto w) { return norm(w[0] * w[0] * w[1]); })(std::array{z, 2.0 * z});
  close(by_array[1], gradient_by_differences([&](const number& w) { return std::norm(number(z * z) * w); }, 2.0 * z));

  // Tangents and cotangents in the same types, and second derivatives by parts.
  BOOST_TEST(std::abs(jvp(f, tangent(std::complex{0.0, 2.0}, 0.0))(z, 1.5)) < 1e-14);
  const auto pulled = vjp([](auto w) { return w * w; }, cotangent(1.0, 0.0))(z);
  BOOST_TEST((pulled == std::complex(1.0, -2.0)));
  const auto h = hessian([](auto w) { return norm(w * w); })(z);
  BOOST_TEST(h[0][0] == 12 * 0.25 + 4);
  BOOST_TEST(h[0][1] == 8 * 0.5 * -1);
}

BOOST_AUTO_TEST_CASE(standard_sequences) {
  using namespace tapeless;
  const std::complex<double> pole(0.25, 0.75);
  const std::vector<std::complex<double>> xs(given.begin(), given.end());
  const auto [value, by] = value_and_gradient(filtered)(pole, xs);
  BOOST_TEST(value == static_cast<double>(filtered_of_standard(pole, given)), tt::tolerance(1e-14));
  close(std::get<0>(by), gradient_by_differences([](const number& p) { return filtered_of_standard(p, given); }, pole));
  for (std::size_t i = 0; i < given.size(); ++i)
    close(std::get<1>(by)[i], gradient_by_differences(
                                  [&, all = given](const number& x) mutable {
                                    all[i] = x;
                                    return filtered_of_standard(pole, all);
                                  },
                                  given[i]));
  // No elements, one, and elements of another type.
  BOOST_TEST(tapeless::value(filtered)(pole, std::vector<std::complex<double>>{}) == 0);
  BOOST_TEST(gradient(filtered, wrt<1>)(pole, std::vector{xs[0]}).size() == 1U);
  BOOST_TEST(tapeless::value(filtered)(pole, std::vector<std::complex<float>>(given.begin(), given.end())) == value,
             tt::tolerance(1e-14));

  // A verb inside, by the pole and by the sequence, which is a sequence again.
  constexpr auto of_gradients = [](auto p, auto all) {
    const auto [by_pole, by_all] = gradient(filtered)(p, all);
    return scan([](auto total, auto g) { return total + norm(g); }, norm(by_pole), by_all);
  };
  double squares = std::norm(std::get<0>(by));
  for (const std::complex<double>& g : std::get<1>(by)) squares += std::norm(g);
  BOOST_TEST(tapeless::value(of_gradients)(pole, xs) == squares, tt::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(constants_of_std_complex_mix_with_values) {
  using z = std::complex<double>;
  constexpr auto of_complex = [](auto a) {
    return a * z(0.5, 0.2) + z(1, -2) / a - (square(a) - z(3, 1)) + (z(0, 1) - a) * z(2, 0) + a / z(1, 1) + z(1, 1) * a;
  };
  constexpr auto of_real = [](auto x) { return x * z(0.5, 0.2) / (x + z(1, -1)) - (z(2, 1) - x) + z(1, 3) / x; };
  const number a(1.5L, -0.75L), i(0, 1);
  const auto c = [](wide re, wide im) { return number(re, im); };
  const number first =
      a * c(0.5L, 0.2L) + c(1, -2) / a - (a * a - c(3, 1)) + (i - a) * 2.0L + a / c(1, 1) + c(1, 1) * a;
  const auto computed = tapeless::value(of_complex)(z(1.5, -0.75));
  close(tapeless::complex{computed[0], computed[1]}, first);
  const wide x = 3;
  const number second = x * c(0.5L, 0.2L) / (x + c(1, -1)) - (c(2, 1) - x) + c(1, 3) / x;
  const auto parts = tapeless::value(of_real)(3.0);
  close(tapeless::complex{parts[0], parts[1]}, second);
  // The gradient of |c z|^2 is 2 |c|^2 conj(z).
  const z g = tapeless::gradient([](auto b) { return norm(b * z(0.5, 0.2)); })(z(1.5, -0.75));
  close(tapeless::complex{g.real(), g.imag()}, 2 * 0.29L * std::conj(a));
}
