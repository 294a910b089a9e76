#ifndef TAPELESS_TEST_BENCHMARK_GAUSSIAN_PROCESS_HPP
#define TAPELESS_TEST_BENCHMARK_GAUSSIAN_PROCESS_HPP
#include <tapeless/lapack.hpp>
#include <tapeless/xtensor.hpp>

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

/// The marginal likelihood of a Gaussian process without its constant.
namespace gaussian_process {

/// Of squared distances, a unit matrix, observations, and length, amplitude and noise.
inline constexpr auto likelihood = [](auto distances, auto unit, auto y, auto length, auto amplitude, auto noise) {
  const auto k = square(amplitude) * exp(distances / (-2 * square(length))) + square(noise) * unit;
  return -0.5 * (dot(y, solve<tapeless::positive_definite>(k, y)) + tapeless::log_det<tapeless::positive_definite>(k));
};

/// With its gradient by LAPACK, written by hand.
struct by_hand {
  std::vector<double> k, inverse, alpha;
  double value = 0, by_length = 0, by_amplitude = 0, by_noise = 0;

  /// Of squared distances n x n and n observations.
  void operator()(std::size_t n, const double* distances, const double* y, double length, double amplitude,
                  double noise) {
    const lapack_int size = static_cast<lapack_int>(n);
    k.resize(n * n), alpha.assign(y, y + n);
    const double scale = -0.5 / (length * length), height = amplitude * amplitude;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) k[i * n + j] = height * std::exp(scale * distances[i * n + j]);
    inverse = k;
    for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] += noise * noise;
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', size, inverse.data(), size);
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'U', size, 1, inverse.data(), size, alpha.data(), size);
    value = 0;
    for (std::size_t i = 0; i < n; ++i) value -= std::log(inverse[i * n + i]) + 0.5 * y[i] * alpha[i];
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', size, inverse.data(), size);
    by_length = by_amplitude = by_noise = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double half = 0.5 * (alpha[i] * alpha[j] - inverse[i * n + j]) * (i == j ? 1 : 2);
        by_amplitude += half * k[i * n + j];
        by_length += half * k[i * n + j] * distances[i * n + j];
        if (i == j) by_noise += half;
      }
    }
    by_length /= length * length * length, by_amplitude *= 2 / amplitude, by_noise *= 2 * noise;
  }
};

}  // namespace gaussian_process

#endif
