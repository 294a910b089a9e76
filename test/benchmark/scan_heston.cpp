// A European call in Heston's model by Monte Carlo, price and six pathwise Greeks: the log-Euler scheme with full
// truncation (Lord, Koekkoek and van Dijk 2010). A path is a loop, lanes are paths; next to it an adjoint by hand with
// xsimd, which reads the same normal numbers.
#include "compare.hpp"
#include "scan_problems.hpp"

#include <tapeless/xtensor.hpp>

#include <xsimd/xsimd.hpp>
#include <xtensor/xtensor.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace {

constexpr std::size_t paths = 200000, times = 50;
constexpr double strike = 100, rate = 0.02, maturity = 1, dt = maturity / static_cast<double>(times);
/// Spot, first variance, speed of reversion, long variance, volatility of variance, correlation.
using model = std::array<double, 6>;
// The paths of a step lie side by side.
using normals = xt::xtensor<double, 2, xt::layout_type::column_major>;

constexpr auto payoff = [](auto m, auto first, auto second) {
  // No structured binding: clang captures none that is a reference.
  const auto spot = m[0], start = m[1], speed = m[2], level = m[3], volatility = m[4], correlation = m[5];
  const auto other = sqrt(1 - correlation * correlation);
  constexpr double root = 0.14142135623730950488;  // of dt
  static_assert(dt == 0.02);
  const auto [x, v] = tapeless::scan(
      [&](const auto& carry, auto a, auto b) {
        const auto& [log_spot, variance] = carry;
        const auto v = max(variance, 0.0), s = sqrt(v) * root;
        return std::tuple(log_spot + (rate - 0.5 * v) * dt + s * a,
                          variance + speed * (level - v) * dt + volatility * s * (correlation * a + other * b));
      },
      std::tuple(log(spot), start), first, second);
  constexpr double discount = 0.98019867330675530222;  // exp(-rate * maturity)
  return discount * max(exp(x) - strike, 0.0) + 0 * v;
};

/// The means of the value and of the derivatives.
using averages = std::array<double, 7>;

averages by_hand(const model& m, const normals& first, const normals& second) {
  using lanes = xsimd::batch<double>;
  constexpr std::size_t W = lanes::size;
  static_assert(paths % W == 0);
  const double correlation = m[5], other = std::sqrt(1 - correlation * correlation), root = std::sqrt(dt);
  const double discount = std::exp(-rate * maturity);
  const lanes zero(0.0), one(1.0);
  std::array<lanes, 7> sums;
  sums.fill(zero);
  for (std::size_t path = 0; path < paths; path += W) {
    const double* const a = &first(path, 0);
    const double* const b = &second(path, 0);
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
  averages result;
  for (std::size_t i = 0; i < 7; ++i) result[i] = xsimd::hadd(sums[i]) / static_cast<double>(paths);
  return result;
}

double mean_of(const std::vector<double>& all) {
  std::array<double, 8> sums{};
  for (std::size_t i = 0; i < all.size(); i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += all[i + lane];
  double sum = 0;
  for (const double each : sums) sum += each;
  return sum / static_cast<double>(all.size());
}

}  // namespace

double time_heston() {
  const model m{100, 0.04, 1.5, 0.04, 0.5, -0.6};
  normals first = normals::from_shape({paths, times}), second = first;
  std::mt19937_64 generator(20261122);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < paths * times; ++i)
    first.data()[i] = normal(generator), second.data()[i] = normal(generator);

  const auto greeks = tapeless::batched(tapeless::value_and_gradient(payoff, tapeless::wrt<0>));
  auto r = greeks(m, first, second);
  const auto all = [&] {
    averages result{mean_of(r.value)};
    for (std::size_t k = 0; k < paths; ++k)
      for (std::size_t i = 0; i < 6; ++i) result[i + 1] += r.gradient[k][i];
    for (std::size_t i = 1; i < 7; ++i) result[i] /= static_cast<double>(paths);
    return result;
  };
  check_equal(all(), by_hand(m, first, second));
  const auto price = tapeless::batched(payoff);
  auto values = price(m, first, second);
  double sink = 0;
  const int steps = static_cast<int>(paths * times);
  compare(
      "Heston, price and six Greeks, and by hand", steps, 21,
      [&] { greeks(tapeless::into(r), m, first, second), sink += all()[3]; },
      [&] { sink += by_hand(m, first, second)[1]; });
  compare(
      "the same, and the price alone", steps, 21,
      [&] { greeks(tapeless::into(r), m, first, second), sink += all()[3]; },
      [&] { price(tapeless::into(values), m, first, second), sink += mean_of(values); });
  return sink;
}
