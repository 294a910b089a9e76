#pragma once

#include "../common/minimise.hpp"
#include "../common/random.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

/// A series that is a level, which moves with a slope, seen with noise; the slope and the level are disturbed too:
///   y[t] = level[t] + noise,  level[t + 1] = level[t] + slope[t] + noise,  slope[t + 1] = slope[t] + noise.
namespace trend {

/// The variances of the three noises.
template <class T>
struct Variances {
  T observation;
  T level;
  T slope;
};

/// What is known of level and slope after an observation: means, covariance, and the log-likelihood so far.
template <class T>
struct State {
  T level;
  T slope;
  T variance;
  T covariance;
  T slope_variance;
  T log_likelihood;
  T innovation;  ///< the observation less its prediction
  T innovation_variance;
};

/// The state after the first two observations, of which nothing was known before.
template <class T>
constexpr State<T> first_state(const T& y0, const T& y1, const Variances<T>& v) {
  return {y1, y1 - y0, v.observation, v.observation, 2.0 * v.observation + v.level + v.slope, T(0.0), T(0.0), T(1.0)};
}

/// The Kalman filter: the state after the next observation.
template <class T>
constexpr State<T> next_state(const State<T>& s, const T& y, const Variances<T>& v) {
  using std::log;
  const T level = s.level + s.slope;
  const T variance = s.variance + 2.0 * s.covariance + s.slope_variance + v.level;
  const T covariance = s.covariance + s.slope_variance;
  const T slope_variance = s.slope_variance + v.slope;
  const T innovation = y - level;
  const T innovation_variance = variance + v.observation;
  const T gain = variance / innovation_variance;
  const T slope_gain = covariance / innovation_variance;
  const T density =
      -0.5 * (log(2 * std::numbers::pi * innovation_variance) + innovation * innovation / innovation_variance);
  return {level + gain * innovation,
          s.slope + slope_gain * innovation,
          gain * v.observation,
          slope_gain * v.observation,
          slope_variance - slope_gain * covariance,
          s.log_likelihood + density,
          innovation,
          innovation_variance};
}

/// The logarithms of the noises' standard deviations, in the order of Variances.
using Parameters = std::array<double, 3>;

template <class P>
constexpr auto variances(const P& log_sd) {
  using std::exp;
  return Variances{exp(2.0 * log_sd[0]), exp(2.0 * log_sd[1]), exp(2.0 * log_sd[2])};
}

/// The log-likelihood of the observations from the third on, given the first two: the sum of the log-densities of the
/// innovations. A loop whose length comes at run time.
struct LogLikelihood {
  template <class P, class Y, class Ys>
  constexpr auto operator()(const P& log_sd, const Y& y0, const Y& y1, const Ys& ys) const {
    const auto v = variances(log_sd);
    const auto last =
        scan([&](const auto& state, const auto& y) { return next_state(state, y, v); }, first_state(y0, y1, v), ys);
    return last.log_likelihood;
  }
};

inline constexpr auto value_gradient_hessian = tapeless::value_and_hessian(LogLikelihood{}, tapeless::wrt<0>);

/// Maximises the log-likelihood from noises that share the variance of the second differences.
inline example::Minimum fit(std::span<const double> series, int iterations) {
  double sum = 0;
  for (std::size_t i = 2; i < series.size(); ++i) {
    const double second = series[i] - 2 * series[i - 1] + series[i - 2];
    sum += second * second;
  }
  if (!(sum > 0)) {
    throw example::Error("the series is a straight line: there is no noise to fit");
  }
  // Of one unit in each noise the second differences have the variances 6, 2 and 1.
  const double log_sd = 0.5 * std::log(sum / static_cast<double>(series.size() - 2) / 9);
  const auto evaluate = [&](const Eigen::VectorXd& x) {
    const auto r = value_gradient_hessian(Parameters{x[0], x[1], x[2]}, series[0], series[1], series.subspan(2));
    example::Expansion expansion{-r.value, Eigen::VectorXd(3), Eigen::MatrixXd(3, 3)};
    for (int i = 0; i < 3; ++i) {
      expansion.gradient[i] = -r.gradient[static_cast<std::size_t>(i)];
      for (int j = 0; j < 3; ++j) {
        expansion.hessian(i, j) = -r.hessian[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      }
    }
    return expansion;
  };
  return example::minimise(evaluate, Eigen::VectorXd::Constant(3, log_sd), iterations, 1e-12);
}

/// All states from the second observation on.
inline std::vector<State<double>> filter(std::span<const double> series, const Parameters& log_sd) {
  const Variances<double> v = variances(log_sd);
  std::vector<State<double>> states{first_state(series[0], series[1], v)};
  for (const double y : series.subspan(2)) {
    states.push_back(next_state(states.back(), y, v));
  }
  return states;
}

inline std::vector<double> generate(std::size_t count, const Parameters& sd, std::uint64_t seed) {
  example::Random random(seed);
  double level = 20;
  double slope = 0.3;
  std::vector<double> series;
  while (series.size() < count) {
    series.push_back(level + random.normal(0, sd[0]));
    level += slope + random.normal(0, sd[1]);
    slope += random.normal(0, sd[2]);
  }
  return series;
}

}  // namespace trend
