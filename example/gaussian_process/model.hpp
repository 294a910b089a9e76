#pragma once

#include "../common/minimise.hpp"

#include <tapeless/lapack.hpp>
#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

/// Gaussian-process regression: y = f(x) + noise, where f is a normal process with the covariance
///   cov(f(x), f(x')) = amplitude^2 exp(-(x - x')^2 / (2 length^2)).
namespace gaussian_process {

struct Data {
  std::vector<double> x;
  std::vector<double> y;  ///< less their mean
  double mean = 0;
};

/// The logarithms of amplitude, length and the noise's standard deviation.
using Parameters = std::array<double, 3>;

inline constexpr auto log_amplitude = tapeless::variable<"log_amplitude">;
inline constexpr auto log_length = tapeless::variable<"log_length">;
inline constexpr auto log_noise = tapeless::variable<"log_noise">;
inline constexpr auto squared_distances = tapeless::variable<"squared_distances">;
inline constexpr auto identity = tapeless::variable<"identity">;
inline constexpr auto y = tapeless::variable<"y">;

inline constexpr auto covariance =
    exp(tapeless::constant<2> * log_amplitude -
        tapeless::constant<1, 2> * squared_distances * exp(-tapeless::constant<2> * log_length)) +
    exp(tapeless::constant<2> * log_noise) * identity;

/// Minus the logarithm of y's density, the marginal likelihood, without its constant n / 2 log(2 pi).
inline constexpr auto misfit = tapeless::constant<1, 2> * (dot(y, solve<tapeless::positive_definite>(covariance, y)) +
                                                           log_det<tapeless::positive_definite>(covariance));

/// Maximises the marginal likelihood by Newton's method.
inline example::Minimum fit(const Data& data, int iterations) {
  const std::size_t n = data.x.size();
  xt::xtensor<double, 2> distances({n, n}), unit({n, n}, 0.0);
  xt::xtensor<double, 1> values(std::array<std::size_t, 1>{n});
  double spread = 0, squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    unit(i, i) = 1;
    values(i) = data.y[i];
    squares += data.y[i] * data.y[i] / static_cast<double>(n);
    for (std::size_t j = 0; j < n; ++j) {
      distances(i, j) = std::pow(data.x[i] - data.x[j], 2);
      spread = std::max(spread, distances(i, j));
    }
  }
  constexpr auto verb = value_and_hessian(misfit, tapeless::wrt(log_amplitude, log_length, log_noise));
  const auto evaluate = [&](const Eigen::VectorXd& p) {
    const auto r = verb(log_amplitude = p[0], log_length = p[1], log_noise = p[2], squared_distances = distances,
                        identity = unit, y = values);
    example::Expansion expansion{r.value, Eigen::VectorXd(3), Eigen::MatrixXd(3, 3)};
    expansion.value += static_cast<double>(n) * 0.5 * std::log(2 * std::numbers::pi);
    expansion.gradient << r.gradient[log_amplitude], r.gradient[log_length], r.gradient[log_noise];
    const auto& h = r.hessian;
    expansion.hessian << h(log_amplitude, log_amplitude), h(log_amplitude, log_length), h(log_amplitude, log_noise),
        h(log_length, log_amplitude), h(log_length, log_length), h(log_length, log_noise), h(log_noise, log_amplitude),
        h(log_noise, log_length), h(log_noise, log_noise);
    return expansion;
  };
  // Half of the variance is noise, and the process changes over a tenth of the data.
  Eigen::VectorXd start(3);
  start << 0.5 * std::log(squares / 2), 0.5 * std::log(spread / 100), 0.5 * std::log(squares / 2);
  return example::minimise(evaluate, start, iterations, 1e-12);
}

struct Prediction {
  double mean;
  double sd;  ///< of f, without the noise
};
/// The process at some places, given the data.
inline std::vector<Prediction> predict(const Data& data, const Parameters& p, const std::vector<double>& places) {
  const auto n = static_cast<Eigen::Index>(data.x.size());
  const Eigen::Map<const Eigen::VectorXd> x(data.x.data(), n), values(data.y.data(), n);
  const double amplitude2 = std::exp(2 * p[0]), length = std::exp(p[1]);
  const auto covariance_with = [&](double place) -> Eigen::VectorXd {
    return amplitude2 * (-0.5 * ((x.array() - place) / length).square()).exp();
  };
  Eigen::MatrixXd k(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    k.col(i) = covariance_with(x[i]);
    k(i, i) += std::exp(2 * p[2]);
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(k);
  const Eigen::VectorXd weights = factor.solve(values);
  std::vector<Prediction> result;
  for (const double place : places) {
    const Eigen::VectorXd c = covariance_with(place);
    const double explained = factor.matrixL().solve(c).squaredNorm();
    result.push_back({data.mean + c.dot(weights), std::sqrt(std::max(amplitude2 - explained, 0.0))});
  }
  return result;
}

}  // namespace gaussian_process
