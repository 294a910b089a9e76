#pragma once

#include <tapeless/lapack.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/hana.hpp>
#include <xtensor/xtensor.hpp>

#include <tuple>

/// A state that is seen through noise: any number of states and of observations, which the file says.
///   state[t + 1] = transition state[t] + noise,  y[t] = observation state[t] + noise
namespace state_space {

struct Series {
  BOOST_HANA_DEFINE_STRUCT(Series, (xt::xtensor<double, 2>, y), (xt::xtensor<double, 1>, start),
                           (xt::xtensor<double, 2>, start_covariance), (xt::xtensor<double, 2>, observation));
};

/// The logarithms of standard deviations: the noises are independent.
struct Parameters {
  BOOST_HANA_DEFINE_STRUCT(Parameters, (xt::xtensor<double, 2>, transition), (xt::xtensor<double, 1>, log_process),
                           (xt::xtensor<double, 1>, log_noise));
};

/// Minus the log-likelihood of the observations, without its constant, by a Kalman filter. The loop carries the mean
/// and the covariance of the state before each observation.
inline constexpr auto loss = [](const auto& p, const auto& series) {
  using tapeless::positive_definite;
  const auto& [y, start, start_covariance, observation] = series;
  const auto& [transition, log_process, log_noise] = p;
  // Variables: clang does not run lambdas that capture structured bindings.
  const auto a = transition;
  const auto c = observation;
  const auto process = diag(exp(2 * log_process)), noise = diag(exp(2 * log_noise));
  const auto step = [&](const auto& state, const auto& seen) {
    const auto& [mean, covariance, total] = state;
    const auto innovation = seen - dot(c, mean);
    const auto cross = dot(c, covariance);
    const auto spread = dot(cross, transpose(c)) + noise;
    const auto gain = transpose(solve<positive_definite>(spread, cross));
    const auto misfit =
        dot(innovation, solve<positive_definite>(spread, innovation)) + log_det<positive_definite>(spread);
    return std::tuple(dot(a, mean + dot(gain, innovation)),
                      dot(dot(a, covariance - dot(gain, cross)), transpose(a)) + process, total + misfit / 2);
  };
  return std::get<2>(scan(step, std::tuple(start, start_covariance, 0.0), y));
};

}  // namespace state_space
