#pragma once

#include <tapeless/xtensor.hpp>

#include <boost/hana.hpp>
#include <xtensor/xtensor.hpp>

/// Rows y in groups: each group has a line of its own, and the lines of the groups have a common distribution.
///   y[i] = intercept[group[i]] + slope[group[i]] x[i] + noise
namespace hierarchical {

struct Rows {
  BOOST_HANA_DEFINE_STRUCT(Rows, (xt::xtensor<double, 1>, y), (xt::xtensor<double, 1>, x),
                           (xt::xtensor<int, 1>, group));
};

struct Parameters {
  BOOST_HANA_DEFINE_STRUCT(Parameters, (xt::xtensor<double, 1>, mean), (xt::xtensor<double, 1>, log_sd),
                           (xt::xtensor<double, 1>, log_noise), (xt::xtensor<double, 2>, effects));
};

/// Intercept and slope of each group. The effects are standard normal: the parameters are not centred, so that neither
/// few rows nor a small standard deviation makes the density narrow.
inline constexpr auto lines = [](const auto& p) {
  const auto& [mean, log_sd, log_noise, effects] = p;
  return mean + exp(log_sd) * effects;
};

/// What is left of y: x is measured from its mean in the group.
inline constexpr auto residuals = [](const auto& p, const auto& rows, const auto& groups) {
  const auto& [y, x, group] = rows;
  const auto mean_of_group = segment_sum(x, group, groups) / segment_sum(0 * x + 1, group, groups);
  const auto line = take(lines(p), group);
  return y - sum<1>(line * tapeless::stack<1>(0 * x + 1, x - take(mean_of_group, group)));
};

/// Minus the logarithm of the posterior density, without constants: normal rows and effects, and wide normal priors.
inline constexpr auto loss = [](const auto& p, const auto& rows, const auto& groups) {
  const auto& [mean, log_sd, log_noise, effects] = p;
  const auto z = residuals(p, rows, groups) / exp(log_noise);
  return sum(square(z) / 2 + log_noise) + sum(square(effects)) / 2 + sum(square(mean / 10)) / 2 +
         sum(square(log_sd)) / 2 + sum(square(log_noise)) / 2;
};

}  // namespace hierarchical
