// The marginal likelihood of a Gaussian process with its gradient, next to LAPACK calls written by hand. The median of
// ratios in one process.
#include "gaussian_process.hpp"
#include "seconds.hpp"

#include <xtensor/xtensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

}  // namespace

int main() {
  for (const std::size_t n : {100u, 500u, 1000u}) {
    vector y = vector::from_shape({n});
    matrix distances = matrix::from_shape({n, n}), unit = xt::zeros<double>({n, n});
    for (std::size_t i = 0; i < n; ++i) {
      y(i) = std::sin(0.05 * static_cast<double>(i)), unit(i, i) = 1;
      for (std::size_t j = 0; j < n; ++j)
        distances(i, j) = std::pow((static_cast<double>(i) - static_cast<double>(j)) / 20, 2);
    }
    const auto verb = value_and_gradient(gaussian_process::likelihood, tapeless::wrt<3, 4, 5>);
    auto ours = verb(distances, unit, y, 1.5, 1.2, 0.3);
    gaussian_process::by_hand theirs;
    theirs(n, distances.data(), y.data(), 1.5, 1.2, 0.3);
    const auto [by_length, by_amplitude, by_noise] = ours.gradient;
    const auto differ = [](double a, double b) { return !(std::abs(a - b) <= 1e-9 * (1 + std::abs(b))); };
    if (differ(ours.value, theirs.value) || differ(by_length, theirs.by_length) ||
        differ(by_amplitude, theirs.by_amplitude) || differ(by_noise, theirs.by_noise))
      std::printf("the values differ\n");
    std::vector<double> ratios, times;
    for (int i = 0; i < (n == 100 ? 400 : 30); ++i) {
      const double a = seconds([&] { verb(tapeless::into(ours), distances, unit, y, 1.5, 1.2, 0.3); });
      const double b = seconds([&] { theirs(n, distances.data(), y.data(), 1.5, 1.2, 0.3); });
      ratios.push_back(a / b), times.push_back(b);
    }
    std::ranges::sort(ratios), std::ranges::sort(times);
    std::printf("marginal likelihood of %4zu points, by LAPACK by hand %9.3f ms  %.3f\n", n,
                times[times.size() / 2] * 1e3, ratios[ratios.size() / 2]);
  }
}
