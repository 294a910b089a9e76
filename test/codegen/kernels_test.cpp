// Do the ways of writing each kernel agree, and are the hand-written ones right?
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

#include "kernels.hpp"

namespace {

template <std::size_t N>
struct Box {
  std::array<double, N> low;
  std::array<double, N> high;
};

template <std::size_t N>
std::vector<std::array<double, N>> points_in(const Box<N>& box) {
  std::mt19937 engine(20);
  std::vector<std::array<double, N>> points(50);
  for (auto& point : points)
    for (std::size_t i = 0; i < N; ++i) {
      // Not std::uniform_real_distribution, whose numbers differ between libraries.
      const double fraction = static_cast<double>(engine()) / static_cast<double>(std::mt19937::max());
      point[i] = box.low[i] + (box.high[i] - box.low[i]) * fraction;
    }
  return points;
}

constexpr Box<3> sum_exp_product_box{{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}};
constexpr Box<5> black_scholes_box{{80, 80, 0.01, 0.15, 0.5}, {120, 120, 0.06, 0.5, 2}};
constexpr Box<8> rosenbrock_box{{-2, -2, -2, -2, -2, -2, -2, -2}, {2, 2, 2, 2, 2, 2, 2, 2}};
constexpr Box<5> softmax_first_box{{-3, -3, -3, -3, -3}, {3, 3, 3, 3, 3}};
// Camera, point and weight, and where the point was seen.
constexpr Box<17> reprojection_box{{-0.8, -0.8, -0.8, -1, -1, -7, 1, -0.5, -0.5, -0.1, -0.01, -1, -1, -1, 0.5, -1, -1},
                                   {0.8, 0.8, 0.8, 1, 1, -5, 2, 0.5, 0.5, 0.1, 0.01, 1, 1, 1, 2, 1, 1}};

template <class T>
T scale(T expected) {
  return std::max(T(1), std::abs(expected));
}

template <std::size_t N>
void check_same(const ValueAndGradient<N>& result, const ValueAndGradient<N>& expected) {
  BOOST_TEST(std::abs(result.value - expected.value) <= 1e-12 * scale(expected.value));
  for (std::size_t i = 0; i < N; ++i)
    BOOST_TEST(std::abs(result.gradient[i] - expected.gradient[i]) <= 1e-12 * scale(expected.gradient[i]));
}

template <std::size_t N>
using Wide = std::array<long double, N>;

// Differences of fourth order in long double, right to about 1e-14.
template <std::size_t N, class F>
void check_derivatives(const ValueAndGradient<N>& result, F f, const std::array<double, N>& point) {
  Wide<N> at;
  for (std::size_t i = 0; i < N; ++i) at[i] = point[i];
  BOOST_TEST(std::abs(result.value - f(at)) <= 1e-13L * scale(f(at)));
  for (std::size_t i = 0; i < N; ++i) {
    const long double h = 1e-4L * scale(at[i]);
    const auto moved = [&](long double steps) {
      Wide<N> x = at;
      x[i] += steps * h;
      return f(x);
    };
    const long double expected = (8 * (moved(1) - moved(-1)) - (moved(2) - moved(-2))) / (12 * h);
    BOOST_TEST(std::abs(result.gradient[i] - expected) <= 1e-10L * scale(expected));
  }
}

/// Calls a reprojection kernel and splits its result into those of two functions of 15 numbers.
template <class Kernel>
std::array<ValueAndGradient<15>, 2> rows_of(Kernel reprojection, const std::array<double, 17>& p) {
  const auto [value, jacobian] = reprojection({p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10]},
                                              {p[11], p[12], p[13]}, p[14], {p[15], p[16]});
  return {{{value[0], jacobian[0]}, {value[1], jacobian[1]}}};
}

}  // namespace

// The workload of instructions.py, which counts what the kernels execute on these inputs.
BOOST_AUTO_TEST_SUITE(kernels_agree)

BOOST_AUTO_TEST_CASE(sum_exp_product) {
  for (const auto& [x, y, z] : points_in(sum_exp_product_box)) {
    const auto expected = by_hand::sum_exp_product(x, y, z);
    check_same(by_formula::sum_exp_product(x, y, z), expected);
    check_same(by_trace::sum_exp_product(x, y, z), expected);
  }
}

BOOST_AUTO_TEST_CASE(black_scholes) {
  for (const auto& [S, K, r, sigma, T] : points_in(black_scholes_box)) {
    const auto expected = by_hand::black_scholes(S, K, r, sigma, T);
    check_same(by_formula::black_scholes(S, K, r, sigma, T), expected);
    check_same(by_trace::black_scholes(S, K, r, sigma, T), expected);
  }
}

BOOST_AUTO_TEST_CASE(rosenbrock) {
  for (const auto& x : points_in(rosenbrock_box)) {
    const auto expected = by_hand::rosenbrock(x);
    check_same(by_formula::rosenbrock(x), expected);
    check_same(by_trace::rosenbrock(x), expected);
  }
}

BOOST_AUTO_TEST_CASE(softmax_first) {
  for (const auto& x : points_in(softmax_first_box)) {
    const auto expected = by_hand::softmax_first(x);
    check_same(by_formula::softmax_first(x), expected);
    check_same(by_trace::softmax_first(x), expected);
  }
}

BOOST_AUTO_TEST_CASE(reprojection) {
  for (auto p : points_in(reprojection_box)) {
    // Every fifth camera is not turned by more than the series is for.
    if (p[14] < 0.8)
      for (std::size_t i = 0; i < 3; ++i) p[i] *= 0.01;
    const auto expected = rows_of(by_hand::reprojection, p);
    const auto result = rows_of(by_trace::reprojection, p);
    for (std::size_t row = 0; row < 2; ++row) check_same(result[row], expected[row]);
  }
}

BOOST_AUTO_TEST_SUITE_END()

// Not part of that workload: valgrind computes long double in 64 bits, too few for these differences.
BOOST_AUTO_TEST_SUITE(hand_written_kernels_are_right)

BOOST_AUTO_TEST_CASE(sum_exp_product) {
  const auto f = [](const Wide<3>& p) { return (p[0] + p[1] + p[2]) * std::exp(p[0] * p[1] * p[2]); };
  for (const auto& p : points_in(sum_exp_product_box))
    check_derivatives(by_hand::sum_exp_product(p[0], p[1], p[2]), f, p);
}

BOOST_AUTO_TEST_CASE(black_scholes) {
  const auto f = [](const Wide<5>& p) {
    const auto [S, K, r, sigma, T] = p;
    const auto normal_cdf = [](long double d) { return std::erfc(-d / std::numbers::sqrt2_v<long double>) / 2; };
    const long double d1 = (std::log(S / K) + (r + sigma * sigma / 2) * T) / (sigma * std::sqrt(T));
    const long double d2 = d1 - sigma * std::sqrt(T);
    return S * normal_cdf(d1) - K * std::exp(-r * T) * normal_cdf(d2);
  };
  for (const auto& p : points_in(black_scholes_box))
    check_derivatives(by_hand::black_scholes(p[0], p[1], p[2], p[3], p[4]), f, p);
}

BOOST_AUTO_TEST_CASE(rosenbrock) {
  const auto f = [](const Wide<8>& x) {
    long double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
      sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2.0L) + std::pow(1 - x[i], 2.0L);
    return sum;
  };
  for (const auto& x : points_in(rosenbrock_box)) check_derivatives(by_hand::rosenbrock(x), f, x);
}

BOOST_AUTO_TEST_CASE(softmax_first) {
  const auto f = [](const Wide<5>& x) {
    long double sum = 0;
    for (const long double element : x) sum += std::exp(element - x[0]);
    return 1 / sum;
  };
  for (const auto& x : points_in(softmax_first_box)) check_derivatives(by_hand::softmax_first(x), f, x);
}

BOOST_AUTO_TEST_CASE(reprojection) {
  for (const auto& p : points_in(reprojection_box)) {
    const auto rows = rows_of(by_hand::reprojection, p);
    for (std::size_t row = 0; row < 2; ++row) {
      const auto f = [&](const Wide<15>& in) {
        const long double angle = std::hypot(in[0], in[1], in[2]), c = std::cos(angle), s = std::sin(angle);
        const Wide<3> k{in[0] / angle, in[1] / angle, in[2] / angle}, x{in[11] - in[3], in[12] - in[4], in[13] - in[5]};
        const long double along = k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
        Wide<3> q;
        for (std::size_t i = 0; i < 3; ++i) {
          const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
          q[i] = c * x[i] + (1 - c) * along * k[i] + s * (k[j] * x[l] - k[l] * x[j]);
        }
        const long double rho = (q[0] * q[0] + q[1] * q[1]) / (q[2] * q[2]);
        const long double distortion = 1 + in[9] * rho + in[10] * rho * rho;
        return in[14] * (in[6] * q[row] / q[2] * distortion + in[7 + row] - p[15 + row]);
      };
      std::array<double, 15> at;
      std::copy_n(p.begin(), at.size(), at.begin());
      check_derivatives(rows[row], f, at);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
