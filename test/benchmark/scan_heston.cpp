// A European call in Heston's model by Monte Carlo: a path is a loop, lanes are paths; next to an adjoint by hand with
// xsimd, which reads the same normal numbers.
#include "compare.hpp"
#include "heston.hpp"
#include "scan_problems.hpp"

#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace {

constexpr std::size_t paths = 200000;
// The paths of a step lie side by side.
using normals = xt::xtensor<double, 2, xt::layout_type::column_major>;

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
  const heston::model m{100, 0.04, 1.5, 0.04, 0.5, -0.6};
  normals first = normals::from_shape({paths, heston::times}), second = first;
  std::mt19937_64 generator(20261122);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < paths * heston::times; ++i)
    first.data()[i] = normal(generator), second.data()[i] = normal(generator);

  const auto greeks = tapeless::batched(tapeless::value_and_gradient(heston::payoff, tapeless::wrt<0>));
  auto r = greeks(m, first, second);
  const auto all = [&] {
    std::array<double, 7> result{mean_of(r.value)};
    for (std::size_t k = 0; k < paths; ++k)
      for (std::size_t i = 0; i < 6; ++i) result[i + 1] += r.gradient[k][i];
    for (std::size_t i = 1; i < 7; ++i) result[i] /= static_cast<double>(paths);
    return result;
  };
  const auto by_hand = [&] { return heston::by_hand(m, paths, first.data(), second.data()); };
  check_equal(all(), by_hand());
  const auto price = tapeless::batched(heston::payoff);
  auto values = price(m, first, second);
  double sink = 0;
  const int steps = static_cast<int>(paths * heston::times);
  compare(
      "Heston, price and six Greeks, and by hand", steps, 21,
      [&] { greeks(tapeless::into(r), m, first, second), sink += all()[3]; }, [&] { sink += by_hand()[1]; });
  compare(
      "the same, and the price alone", steps, 21,
      [&] { greeks(tapeless::into(r), m, first, second), sink += all()[3]; },
      [&] { price(tapeless::into(values), m, first, second), sink += mean_of(values); });
  return sink;
}
