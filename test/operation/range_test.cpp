// Derivatives of every operation over the whole range of its operands, at zeros, tiny and huge numbers, against closed
// forms in 50 digits: first derivatives to a relative error of 1e-13 wherever they are normal numbers and the value is
// one or 0.
#include <tapeless/tapeless.hpp>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

using namespace tapeless;

namespace {

using R = boost::multiprecision::cpp_bin_float_50;
using limits = std::numeric_limits<double>;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto z = variable<"z">;

std::mt19937_64 generator(20261121);

bool is_ordinary(double value) { return value == 0.0 || std::isnormal(value); }

/// A number of any size, of ordinary size, 0, or close to an end of the range.
double draw(double low, double high) {
  constexpr double edges[] = {0.0,    -0.0,  limits::min(), -limits::min(), limits::max(), -limits::max(),
                              1e-300, 1e300, 1e-160,        1e160,          1.0,           -1.0,
                              18.0,   -18.0, 1e-20,         -1e-20};
  for (;;) {
    const auto kind = generator() % 8;
    double result = 0;
    if (kind == 0) {
      result = edges[generator() % std::size(edges)];
    } else {
      std::uniform_real_distribution<double> mantissa(1, 2), exponent(kind < 4 ? -1022 : -6, kind < 4 ? 1024 : 6);
      result = std::ldexp(mantissa(generator), static_cast<int>(std::floor(exponent(generator))));
      if (generator() % 2) result = -result;
    }
    if (low <= result && result <= high) return result;
  }
}

constexpr double everything = limits::max(), least = limits::min();

void close(std::string_view what, double computed, const R& expected, double tolerance, double at, double also = 0) {
  const R size = abs(expected);
  bool right = true;
  if (size == 0 || size < R(least))
    right = std::abs(computed) <= 2 * least;
  else if (size <= R(everything))
    right = abs(R(computed) - expected) <= tolerance * size;
  BOOST_CHECK_MESSAGE(right, what << " at " << at << ", " << also << ": " << computed << " instead of " << expected);
}

template <class F, class First>
void check_one(std::string_view name, const F& f, double low, double high, First first) {
  const auto both = value_and_gradient(f, wrt(x), unconnected::materialise);
  for (int i = 0; i < 300; ++i) {
    const double a = draw(low, high);
    const auto r = both(x = a);
    if (is_ordinary(r.value)) close(name, r.gradient[x], first(R(a)), 1e-13, a);
  }
}

template <class F, class ByX, class ByY>
void check_two(std::string_view name, const F& f, double low, ByX by_x, ByY by_y) {
  const auto both = value_and_gradient(f, wrt(x, y), unconnected::materialise);
  for (int i = 0; i < 600; ++i) {
    const double a = draw(low, everything), b = draw(-everything, everything);
    const auto r = both(x = a, y = b);
    if (!is_ordinary(r.value)) continue;
    close(name, r.gradient[x], by_x(R(a), R(b)), 1e-13, a, b);
    close(name, r.gradient[y], by_y(R(a), R(b)), 1e-13, a, b);
  }
}

R square_of(const R& a) { return a * a; }

/// In the place of infinity.
const R beyond = 2 * R(everything);

}  // namespace

BOOST_AUTO_TEST_CASE(one_operand) {
  const R two_over_root_pi = 2 / sqrt(acos(R(-1)));
  check_one("square", square(x), -everything, everything, [](R a) -> R { return 2 * a; });
  check_one("sqrt", sqrt(x), least, everything, [](R a) -> R { return 1 / (2 * sqrt(a)); });
  check_one("cbrt", cbrt(x), least, everything, [](R a) -> R { return exp(-2 * log(a) / 3) / 3; });
  check_one("exp", exp(x), -1e3, 1e3, [](R a) -> R { return exp(a); });
  check_one("exp2", exp2(x), -1e3, 1e3, [](R a) -> R { return exp(a * log(R(2))) * log(R(2)); });
  check_one("expm1", expm1(x), -1e3, 1e3, [](R a) -> R { return exp(a); });
  check_one("log", log(x), least, everything, [](R a) -> R { return 1 / a; });
  check_one("log2", log2(x), least, everything, [](R a) -> R { return 1 / (a * log(R(2))); });
  check_one("log10", log10(x), least, everything, [](R a) -> R { return 1 / (a * log(R(10))); });
  check_one("log1p", log1p(x), -0.999, everything, [](R a) -> R { return 1 / (1 + a); });
  check_one("sigmoid", sigmoid(x), -1e3, 1e3, [](R a) -> R { return exp(-abs(a)) / square_of(1 + exp(-abs(a))); });
  check_one("softplus", softplus(x), -1e3, 1e3, [](R a) -> R { return 1 / (1 + exp(-a)); });
  check_one("sin", sin(x), -1e9, 1e9, [](R a) -> R { return cos(a); });
  check_one("cos", cos(x), -1e9, 1e9, [](R a) -> R { return -sin(a); });
  check_one("tan", tan(x), -1e9, 1e9, [](R a) -> R { return 1 / square_of(cos(a)); });
  check_one("asin", asin(x), -1, 1, [](R a) -> R { return abs(a) < 1 ? R(1 / sqrt((1 - a) * (1 + a))) : beyond; });
  check_one("acos", acos(x), -1, 1, [](R a) -> R { return abs(a) < 1 ? R(-1 / sqrt((1 - a) * (1 + a))) : beyond; });
  check_one("atan", atan(x), -everything, everything, [](R a) -> R { return 1 / (1 + a * a); });
  check_one("sinh", sinh(x), -1e3, 1e3, [](R a) -> R { return cosh(a); });
  check_one("cosh", cosh(x), -1e3, 1e3, [](R a) -> R { return sinh(a); });
  check_one("tanh", tanh(x), -1e3, 1e3, [](R a) -> R { return 1 / square_of(cosh(a)); });
  check_one("asinh", asinh(x), -everything, everything, [](R a) -> R { return 1 / sqrt(a * a + 1); });
  check_one("acosh", acosh(x), std::nextafter(1.0, 2.0), everything,
            [](R a) -> R { return 1 / sqrt((a - 1) * (a + 1)); });
  check_one("atanh", atanh(x), -0.999, 0.999, [](R a) -> R { return 1 / ((1 - a) * (1 + a)); });
  check_one("erf", erf(x), -1e3, 1e3, [&](R a) -> R { return two_over_root_pi * exp(-a * a); });
  check_one("erfc", erfc(x), -1e3, 1e3, [&](R a) -> R { return -two_over_root_pi * exp(-a * a); });
  check_one("lgamma", lgamma(x), 1e-300, 1e18, [](R a) -> R { return boost::math::digamma(a); });
  check_one("digamma", digamma(x), 1e-150, 1e18, [](R a) -> R { return boost::math::trigamma(a); });
}

BOOST_AUTO_TEST_CASE(two_operands) {
  const auto one = [](R, R) -> R { return 1; };
  check_two("add", x + y, -everything, one, one);
  check_two("subtract", x - y, -everything, one, [](R, R) -> R { return -1; });
  check_two("multiply", x * y, -everything, [](R, R b) -> R { return b; }, [](R a, R) -> R { return a; });
  const auto quotient_by_divisor = [](R a, R b) -> R { return b == 0 ? beyond : R(-a / (b * b)); };
  const auto inverse = [](R, R b) -> R { return b == 0 ? beyond : R(1 / b); };
  check_two("divide", x / y, -everything, inverse, quotient_by_divisor);
  // Beyond what an inverse can be.
  const auto g = gradient(x / y, wrt(y));
  BOOST_TEST(g(x = 0.0, y = 1e-310)[y] == 0.0);
  close("divide", g(x = 5e-324, y = -1e-309)[y], quotient_by_divisor(R(5e-324), R(-1e-309)), 1e-13, 5e-324, -1e-309);
  const auto length = [](R a, R b) -> R { return sqrt(a * a + b * b); };
  const auto share = [&](R a, R b) -> R { return a == 0 ? R(0) : R(a / length(a, b)); };
  const auto other_share = [&](R a, R b) -> R { return share(b, a); };
  check_two("hypot", hypot(x, y), -everything, share, other_share);
  check_two("norm", norm(x, y), -everything, share, other_share);
  const auto over_squares = [](R a, R b) -> R { return a == 0 && b == 0 ? beyond : R(a / (a * a + b * b)); };
  check_two(
      "atan2", atan2(x, y), -everything, [&](R a, R b) -> R { return over_squares(b, a); },
      [&](R a, R b) -> R { return -over_squares(a, b); });
  const auto power = [](R a, R b) -> R {
    const R exponent = b * log(a);
    return exponent > 2000 ? beyond : exponent < -2000 ? R(0) : R(exp(exponent));
  };
  check_two(
      "pow", pow(x, y), least, [&](R a, R b) -> R { return b == 0 ? R(0) : R(b * power(a, b - 1)); },
      [&](R a, R b) -> R { return log(a) == 0 ? R(0) : R(power(a, b) * log(a)); });
  // Weights of a softmax: the shift that keeps exponentials in range costs no digits.
  const auto weight = [](R a, R b) -> R { return b - a > 2000 ? R(0) : R(1 / (1 + exp(b - a))); };
  check_two("logsumexp", logsumexp(x, y), -everything, weight, [&](R a, R b) -> R { return weight(b, a); });
}

BOOST_AUTO_TEST_CASE(single_precision) {
  const auto tolerance = boost::test_tools::tolerance(1e-6f);
  BOOST_TEST(gradient(atan2(y, x), wrt(x))(x = 1e-25f, y = 1e-25f)[x] == -5e24f, tolerance);
  BOOST_TEST(gradient(atan2(y, x), wrt(x))(x = 1e30f, y = 1e30f)[x] == -5e-31f, tolerance);
  BOOST_TEST(gradient(asinh(x))(x = 1e20f)[x] == 1e-20f, tolerance);
  BOOST_TEST(gradient(acosh(x))(x = 1e30f)[x] == 1e-30f, tolerance);
  BOOST_TEST(gradient(tanh(x))(x = 10.0f)[x] == 8.2446145e-9f, tolerance);
}

BOOST_AUTO_TEST_CASE(norms_of_many) {
  const auto both = value_and_gradient([](const auto& e) { return norm(e[0], e[1], e[2], e[3], e[4], e[5], e[6]); });
  for (int i = 0; i < 200; ++i) {
    const int exponent = static_cast<int>(generator() % 2000) - 1000;
    std::array<double, 7> a{};
    R squares = 0;
    for (double& e : a) {
      e = generator() % 4 ? std::ldexp(draw(-8, 8), exponent) : 0.0;
      if (!is_ordinary(e)) e = 0;
      squares += R(e) * R(e);
    }
    const auto r = both(a);
    close("norm of 7", r.value, sqrt(squares), 1e-15, exponent);
    for (std::size_t j = 0; j < 7; ++j)
      close("norm of 7", r.gradient[j], squares == 0 ? R(0) : R(R(a[j]) / sqrt(squares)), 1e-15, a[j]);
  }
  BOOST_TEST(norm(x, y)(x = 1e200, y = 1e200) == std::hypot(1e200, 1e200), boost::test_tools::tolerance(1e-15));
  BOOST_TEST(norm(x, y, z)(x = 2e-300, y = -1e-300, z = 2e-300) == 3e-300, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(norm(x)(x = -1e300) == 1e300);
  BOOST_TEST(norm(x, y, z)(x = limits::infinity(), y = 1.0, z = 2.0) == limits::infinity());
  BOOST_TEST(norm(x, y)(x = 3e30f, y = 4e30f) == 5e30f, boost::test_tools::tolerance(1e-6f));
}

// A derivative that is replaced at a point must itself have the derivatives of what it stands for.
BOOST_AUTO_TEST_CASE(second_order) {
  struct point {
    double a, b;
  };
  const auto compare = [](std::string_view name, const auto& f, const std::vector<point>& points, auto xx, auto xy,
                          auto yy) {
    const auto of_pair = hessian(f, wrt(x, y));
    const auto swapped = hessian(f, wrt(y, x));
    for (const auto& [a, b] : points) {
      const auto h = of_pair(x = a, y = b);
      const auto other = swapped(x = a, y = b);
      close(name, h(x, x), xx(R(a), R(b)), 1e-12, a, b);
      close(name, h(x, y), xy(R(a), R(b)), 1e-12, a, b);
      close(name, h(y, y), yy(R(a), R(b)), 1e-12, a, b);
      close(name, other(x, y), xy(R(a), R(b)), 1e-12, a, b);
    }
  };
  const std::vector<point> powers{{2, 0}, {0.5, 0}, {2, 1}, {3, 2}, {1e-200, 0}, {1e200, 0}, {1e-150, 1}, {7, -1}};
  const auto power = [](R a, R b) -> R { return exp(b * log(a)); };
  compare(
      "pow", pow(x, y), powers, [&](R a, R b) -> R { return b * (b - 1) * power(a, b - 2); },
      [&](R a, R b) -> R { return power(a, b - 1) * (1 + b * log(a)); },
      [&](R a, R b) -> R { return power(a, b) * log(a) * log(a); });
  const std::vector<point> points{{1, 2}, {-3, 2}, {0, 2}, {2, 0}, {1e-100, 2e-100}, {3e100, -1e100}, {1e-150, 1}};
  const auto squares = [](R a, R b) -> R { return a * a + b * b; };
  compare(
      "atan2", atan2(x, y), points, [&](R a, R b) -> R { return -2 * a * b / square_of(squares(a, b)); },
      [&](R a, R b) -> R { return (a * a - b * b) / square_of(squares(a, b)); },
      [&](R a, R b) -> R { return 2 * a * b / square_of(squares(a, b)); });
  compare(
      "divide", x / y, {{1, 2}, {-3, 2}, {0, 2}, {1e-100, 2e-100}, {3e100, -1e100}, {0, 1e-150}},
      [](R, R) -> R { return 0; }, [](R, R b) -> R { return -1 / (b * b); },
      [](R a, R b) -> R { return 2 * a / (b * b * b); });
  // x^y to third order in y: all of log(x)^3 x^y comes from the branch at y = 0.
  const auto third = derivative(derivative(derivative(pow(x, y), x), y), y);
  close("pow, third", third(x = 2.0, y = 0.0), log(R(2)), 1e-13, 2, 0);

  const auto curvature = [](std::string_view name, const auto& f, const std::vector<double>& at, auto second) {
    for (const double a : at) close(name, hessian(f, wrt(x))(x = a)(x, x), second(R(a)), 1e-12, a);
  };
  const std::vector<double> some{-30, -18, -0.5, 0.25, 2, 19};
  curvature("tanh", tanh(x), some, [](R a) -> R { return -2 * tanh(a) / square_of(cosh(a)); });
  curvature("sigmoid", sigmoid(x), some, [](R a) -> R { return tanh(-a / 2) / square_of(cosh(a / 2)) / 4; });
  curvature("asinh", asinh(x), {-1e100, -3, 0, 1e-100, 1e100}, [](R a) -> R { return -a / pow(R(a * a + 1), R(1.5)); });
  curvature("acosh", acosh(x), {1.5, 1e3, 1e100}, [](R a) -> R { return -a / pow(R(a * a - 1), R(1.5)); });
  curvature("sqrt", sqrt(x), {1e-150, 2, 1e150}, [](R a) -> R { return -1 / (4 * a * sqrt(a)); });
}
