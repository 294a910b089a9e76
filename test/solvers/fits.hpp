#ifndef TAPELESS_TEST_SOLVERS_FITS_HPP
#define TAPELESS_TEST_SOLVERS_FITS_HPP

// Models that are fitted to data of run-time length, and their closed forms.
#include <tapeless/tapeless.hpp>
#include <tapeless/xtensor.hpp>

#include <cmath>
#include <tuple>
#include <vector>

namespace fits {

/// Minus the log likelihood of normal data, by mean and logarithm of the variance: a loop over the data.
inline constexpr auto normal = [](auto p, const auto& y) {
  return scan([&](auto sum, auto seen) { return sum + square(seen - p[0]) * exp(-p[1]) + p[1]; }, 0.0, y);
};
inline const std::vector<double> seen{1, 2, 3, 4, 6};
constexpr double mean = 3.2;
inline const double log_variance = std::log(14.8 / 5);

/// A line through points: residuals, and the sum of their squares. The normal equations are 5 a + 10 b = 15, 10 a + 30
/// b = 38.
inline constexpr auto residuals = [](const auto& line, const auto& t, const auto& y) {
  return line[0] + line[1] * t - y;
};
inline constexpr auto squares = [](const auto& line, const auto& t, const auto& y) {
  return sum(square(line[0] + line[1] * t - y));
};
inline const std::vector<double> times{0, 1, 2, 3, 4}, heights{1, 3, 2, 5, 4};
constexpr double intercept = 1.4, slope = 0.8, sum_of_squares = 3.6;

/// The same with a row of predictors for each point, and as many parameters.
inline constexpr auto regression_residuals = [](const auto& w, const auto& x, const auto& y) { return dot(x, w) - y; };
inline constexpr auto regression = [](const auto& w, const auto& x, const auto& y) {
  return sum(square(dot(x, w) - y));
};
inline const xt::xtensor<double, 2> rows{{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}};

/// A chain of springs between 0 and 0, with a force y on each joint: for forces 0, ..., 0, n + 1 joint i rests at i +
/// 1, and the energy is -n (n + 1) / 2.
inline constexpr auto springs = [](const auto& p, const auto& y) {
  const auto [last, energy] = scan(
      [](auto carry, auto joint, auto force) {
        const auto& [before, sum] = carry;
        return std::tuple{joint, sum + square(joint - before) / 2 - force * joint};
      },
      std::tuple{0.0, 0.0}, p, y);
  return energy + square(last) / 2;
};
inline const std::vector<double> forces{0, 0, 0, 0, 6};

}  // namespace fits

#endif
