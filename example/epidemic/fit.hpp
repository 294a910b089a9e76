#pragma once

#include "../common/error.hpp"
#include "../common/minimise.hpp"
#include "model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace epidemic {

using example::Error;
using Matrix = std::array<std::array<double, 3>, 3>;

struct Options {
  double population = 12000;
  int steps = 8;  ///< of the Runge-Kutta method, a day
  int iterations = 100;
};

struct Fit {
  Parameters parameters;
  Matrix covariance;             ///< of the parameters: the inverse of the Hessian of the surprise
  std::vector<double> surprise;  ///< at the start and after each iteration
  double gradient;               ///< the largest entry at the end
  bool converged = false;
};

/// Refuses counts that no fit can read.
inline void check_cases(const std::vector<double>& cases, const Options& options) {
  if (cases.size() < 4) {
    throw Error("too few days: " + std::to_string(cases.size()) + ", but three parameters need at least 4");
  }
  double sum = 0;
  for (const double count : cases) {
    if (count < 0 || count != std::floor(count)) {
      throw Error("the cases of a day must be a whole number, 0 or more");
    }
    sum += count;
  }
  if (sum == 0) {
    throw Error("no day has a case");
  }
  if (sum > options.population) {
    throw Error("there are more cases than people: is --population too small?");
  }
}

/// A start from which Newton's method finds its way: the growth to the first day of half the largest count, which is
/// infection - recovery, and a recovery within five days.
inline Parameters guess(const std::vector<double>& cases, double population) {
  const double half = *std::ranges::max_element(cases) / 2;
  const auto day =
      static_cast<double>(std::ranges::find_if(cases, [&](double c) { return c >= half; }) - cases.begin());
  const double recovery = 0.2;
  const double first = std::max(cases.front(), 0.5);
  const double growth = std::clamp(std::log(std::max(half, first) / first) / std::max(day, 1.0), 0.01, 1.0);
  return {std::log(recovery + growth), std::log(recovery),
          std::log(std::min(first / (recovery + growth) / population, 0.5))};
}

/// Minimises the surprise by Newton's method.
inline Fit fit(const std::vector<double>& cases, const Options& options) {
  constexpr auto derivatives = tapeless::value_and_hessian(surprise, tapeless::wrt<0>);
  const auto at = [&](const Eigen::VectorXd& x) {
    const auto [value, gradient, hessian] =
        derivatives(Parameters{x[0], x[1], x[2]}, options.population, options.steps, cases);
    return example::Expansion{value, Eigen::Vector3d(gradient.data()), Eigen::Matrix3d(hessian.front().data())};
  };
  const Parameters first = guess(cases, options.population);
  const example::Minimum found = example::minimise(at, Eigen::Vector3d(first.data()), options.iterations, 1e-16);
  Fit result{{}, {}, found.values, found.at.gradient.lpNorm<Eigen::Infinity>(), found.converged};
  Eigen::Vector3d::Map(result.parameters.data()) = found.x;
  Eigen::Matrix3d::Map(result.covariance.front().data()) = found.at.hessian.llt().solve(Eigen::Matrix3d::Identity());
  return result;
}

struct Estimate {
  double value;
  double deviation;  ///< its standard deviation
};

/// A quantity at the fit, with its standard deviation by the delta method: the root of g' C g with its gradient g.
template <class Derivatives, class... Data>
Estimate estimate(const Derivatives& derivatives, const Fit& fit, const Data&... data) {
  const auto [value, by_parameters] = derivatives(fit.parameters, data...);
  double variance = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      variance += by_parameters[i] * fit.covariance[i][j] * by_parameters[j];
    }
  }
  return {value, std::sqrt(variance)};
}

/// The cases expected on each of the first days.
inline std::vector<Estimate> course(const Fit& fit, const Options& options, std::size_t days) {
  constexpr auto expected = [](auto p, auto population, auto steps, auto day) {
    const auto state =
        scan([&](auto before, auto) { return next_day(before, p, steps); }, start(p), tapeless::steps(day));
    return population * (state[0] - next_day(state, p, steps)[0]);
  };
  std::vector<Estimate> result;
  for (std::size_t day = 0; day < days; ++day) {
    result.push_back(estimate(tapeless::value_and_gradient(expected, tapeless::wrt<0>), fit, options.population,
                              options.steps, static_cast<int>(day)));
  }
  return result;
}

}  // namespace epidemic
