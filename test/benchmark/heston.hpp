#ifndef TAPELESS_TEST_BENCHMARK_HESTON_HPP
#define TAPELESS_TEST_BENCHMARK_HESTON_HPP
#include <xsimd/xsimd.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

/// A European call in Heston's model by Monte Carlo, price and six pathwise Greeks: the log-Euler scheme with full
/// truncation (Lord, Koekkoek and van Dijk 2010).
namespace heston {

inline constexpr std::size_t times = 50;
inline constexpr double strike = 100, rate = 0.02, maturity = 1, dt = maturity / static_cast<double>(times);
/// Spot, first variance, speed of reversion, long variance, volatility of variance, correlation.
using model = std::array<double, 6>;

/// What one path pays, of two sequences of normal numbers.
inline constexpr auto payoff = [](auto m, auto first, auto second) {
  // No structured binding: clang captures none that is a reference.
  const auto spot = m[0], start = m[1], speed = m[2], level = m[3], volatility = m[4], correlation = m[5];
  const auto other = sqrt(1 - correlation * correlation);
  constexpr double root = 0.14142135623730950488;  // of dt
  static_assert(dt == 0.02);
  const auto end = scan(
      [&](const auto& carry, auto a, auto b) {
        const auto& [log_spot, variance] = carry;
        const auto v = max(variance, 0.0), s = sqrt(v) * root;
        return std::tuple(log_spot + (rate - 0.5 * v) * dt + s * a,
                          variance + speed * (level - v) * dt + volatility * s * (correlation * a + other * b));
      },
      std::tuple(log(spot), start), first, second);
  constexpr double discount = 0.98019867330675530222;  // exp(-rate * maturity)
  return discount * max(exp(std::get<0>(end)) - strike, 0.0);
};

/// The means of the value and of the derivatives over paths, whose numbers of a step lie side by side. The adjoint by
/// hand; lanes are paths, of which there are a multiple of the lanes.
inline std::array<double, 7> by_hand(const model& m, std::size_t paths, const double* first, const double* second) {
  using lanes = xsimd::batch<double>;
  constexpr std::size_t W = lanes::size;
  const double correlation = m[5], other = std::sqrt(1 - correlation * correlation), root = std::sqrt(dt);
  const double discount = std::exp(-rate * maturity);
  const lanes zero(0.0);
  std::array<lanes, 7> sums;
  sums.fill(zero);
  for (std::size_t path = 0; path < paths; path += W) {
    const double* const a = first + path;
    const double* const b = second + path;
    std::array<lanes, times> variances;
    lanes x(std::log(m[0])), variance(m[1]);
    for (std::size_t t = 0; t < times; ++t) {
      variances[t] = variance;
      const lanes v = xsimd::max(variance, zero), s = xsimd::sqrt(v) * root;
      const lanes za = lanes::load_unaligned(a + t * paths), zb = lanes::load_unaligned(b + t * paths);
      x += (rate - 0.5 * v) * dt + s * za;
      variance += m[2] * (m[3] - v) * dt + m[4] * s * (correlation * za + other * zb);
    }
    const lanes end = xsimd::exp(x);
    const auto pays = end > lanes(strike);
    sums[0] += xsimd::select(pays, discount * (end - strike), zero);
    const lanes by_x = xsimd::select(pays, discount * end, zero);
    lanes by_v(0.0), by_speed(0.0), by_level(0.0), by_volatility(0.0), by_correlation(0.0);
    for (std::size_t t = times; t-- > 0;) {
      const auto positive = variances[t] > zero;
      const lanes v = xsimd::max(variances[t], zero), sigma = xsimd::sqrt(v), s = sigma * root;
      const lanes za = lanes::load_unaligned(a + t * paths), zb = lanes::load_unaligned(b + t * paths);
      const lanes z = correlation * za + other * zb;
      by_speed += by_v * ((m[3] - v) * dt);
      by_level += by_v;
      by_volatility += by_v * s * z;
      by_correlation += by_v * s * (za - correlation / other * zb);
      const lanes by_s = by_x * za + by_v * m[4] * z;
      const lanes of_positive = by_s * (0.5 * root / sigma) - by_x * (0.5 * dt) - by_v * (m[2] * dt);
      by_v += xsimd::select(positive, of_positive, zero);
    }
    sums[1] += by_x / m[0], sums[2] += by_v, sums[3] += by_speed, sums[4] += by_level * (m[2] * dt);
    sums[5] += by_volatility, sums[6] += by_correlation * m[4];
  }
  std::array<double, 7> result{};
  for (std::size_t i = 0; i < 7; ++i) {
    double each[W];
    sums[i].store_unaligned(each);
    for (const double number : each) result[i] += number / static_cast<double>(paths);
  }
  return result;
}

}  // namespace heston

#endif
