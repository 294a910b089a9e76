// The marginal likelihood of a Gaussian process with its gradient, next to LAPACK calls written by hand. The median of
// ratios in one process.
#include "seconds.hpp"

#include <tapeless/lapack.hpp>
#include <tapeless/xtensor.hpp>

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

/// Without the constant; of squared distances, a unit matrix, observations, and length, amplitude and noise.
constexpr auto likelihood = [](auto distances, auto unit, auto y, auto length, auto amplitude, auto noise) {
  const auto k = square(amplitude) * exp(distances / (-2 * square(length))) + square(noise) * unit;
  return -0.5 * (dot(y, solve<tapeless::positive_definite>(k, y)) + tapeless::log_det<tapeless::positive_definite>(k));
};

struct by_hand {
  std::vector<double> k, inverse, alpha;
  double value = 0, by_length = 0, by_amplitude = 0, by_noise = 0;

  void operator()(const matrix& distances, const vector& y, double length, double amplitude, double noise) {
    const std::size_t n = y.size();
    const lapack_int size = static_cast<lapack_int>(n);
    k.resize(n * n), alpha.assign(y.begin(), y.end());
    const double scale = -0.5 / (length * length), height = amplitude * amplitude;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) k[i * n + j] = height * std::exp(scale * distances.data()[i * n + j]);
    inverse = k;
    for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] += noise * noise;
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', size, inverse.data(), size);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', size, 1, inverse.data(), size, alpha.data(), size);
    value = 0;
    for (std::size_t i = 0; i < n; ++i) value -= std::log(inverse[i * n + i]) + 0.5 * y(i) * alpha[i];
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', size, inverse.data(), size);
    by_length = by_amplitude = by_noise = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double half = 0.5 * (alpha[i] * alpha[j] - inverse[i * n + j]) * (i == j ? 1 : 2);
        by_amplitude += half * k[i * n + j];
        by_length += half * k[i * n + j] * distances.data()[i * n + j];
        if (i == j) by_noise += half;
      }
    }
    by_length /= length * length * length, by_amplitude *= 2 / amplitude, by_noise *= 2 * noise;
  }
};

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
    const auto verb = value_and_gradient(likelihood, tapeless::wrt<3, 4, 5>);
    auto ours = verb(distances, unit, y, 1.5, 1.2, 0.3);
    by_hand theirs;
    theirs(distances, y, 1.5, 1.2, 0.3);
    const auto [by_length, by_amplitude, by_noise] = ours.gradient;
    const auto differ = [](double a, double b) { return !(std::abs(a - b) <= 1e-9 * (1 + std::abs(b))); };
    if (differ(ours.value, theirs.value) || differ(by_length, theirs.by_length) ||
        differ(by_amplitude, theirs.by_amplitude) || differ(by_noise, theirs.by_noise))
      std::printf("the values differ\n");
    std::vector<double> ratios, times;
    for (int i = 0; i < (n == 100 ? 400 : 30); ++i) {
      const double a = seconds([&] { verb(tapeless::into(ours), distances, unit, y, 1.5, 1.2, 0.3); });
      const double b = seconds([&] { theirs(distances, y, 1.5, 1.2, 0.3); });
      ratios.push_back(a / b), times.push_back(b);
    }
    std::ranges::sort(ratios), std::ranges::sort(times);
    std::printf("marginal likelihood of %4zu points, by LAPACK by hand %9.3f ms  %.3f\n", n,
                times[times.size() / 2] * 1e3, ratios[ratios.size() / 2]);
  }
}
