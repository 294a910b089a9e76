#pragma once

#include "../common/minimise.hpp"
#include "../common/random.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Logistic regression with a random intercept for each group:
///   P(y = 1) = 1 / (1 + exp(-(b0 + b1 x1 + b2 x2 + b3 x3 + sigma u))),  u of each group standard normal.
namespace mixed_model {

constexpr std::size_t most_predictors = 3;
/// Three predictors, zeros where there are fewer, and the outcome, 0 or 1.
using Row = std::array<double, most_predictors + 1>;
/// b0 to b3 and log(sigma).
using Parameters = std::array<double, most_predictors + 2>;

struct Data {
  std::vector<std::string> names;  ///< of the parameters that are fitted: all but those of absent predictors
  std::vector<std::size_t> fitted;
  std::vector<std::vector<Row>> groups;
  std::size_t rows = 0;
};

/// What a group's rows make of its u.
template <class T>
struct Sums {
  T log_density;  ///< log P(y | u)
  T slope;        ///< its derivatives by u
  T curvature;
};
template <class P, class T, class Rows>
constexpr auto sums_of(const P& p, const T& u, const Rows& rows) {
  using std::exp;
  const T sigma = exp(p[most_predictors + 1]);
  return scan(
      [&](const auto& sums, const auto& row) {
        auto linear = p[0] + sigma * u;
        for (std::size_t i = 0; i < most_predictors; ++i) {
          linear = linear + p[i + 1] * row[i];
        }
        const auto& y = row[most_predictors];
        const auto probability = sigmoid(linear);
        return Sums<T>{sums.log_density + bernoulli_logit_lpmf(y, linear), sums.slope + sigma * (y - probability),
                       sums.curvature - sigma * sigma * probability * (1.0 - probability)};
      },
      Sums<T>{T(0.0), T(0.0), T(0.0)}, rows);
}

/// log P(y | u) + log of u's density, without its constant.
struct Joint {
  template <class P, class T, class Rows>
  constexpr auto operator()(const P& p, const T& u, const Rows& rows) const {
    return sums_of(p, u, rows).log_density - 0.5 * u * u;
  }
};
inline constexpr auto joint = tapeless::value_and_gradient(Joint{}, tapeless::wrt<0, 1>);
inline constexpr auto joint_by_u = tapeless::value_and_hessian(Joint{}, tapeless::wrt<1>);

/// Laplace's approximation of the logarithm of a group's likelihood, the integral of exp(Joint) over u: a normal
/// density with the same mode and curvature. Two steps of Newton's method from the mode leave it where it is, and give
/// it its first and second derivatives by the parameters.
struct LogLikelihood {
  template <class P, class T, class Rows>
  constexpr auto operator()(const P& p, const T& mode, const Rows& rows) const {
    T u = mode;
    for (int step = 0; step < 2; ++step) {
      const auto sums = sums_of(p, u, rows);
      u = u - (sums.slope - u) / (sums.curvature - 1.0);
    }
    const auto sums = sums_of(p, u, rows);
    return sums.log_density - 0.5 * u * u - 0.5 * log(1.0 - sums.curvature);
  }
};
inline constexpr auto log_likelihood = tapeless::value_and_hessian(LogLikelihood{}, tapeless::wrt<0>);

/// The mode of Joint: by Newton's method, whose steps are halved where they do not climb. Joint is concave.
inline double mode_of(const Parameters& p, const std::vector<Row>& rows) {
  double u = 0;
  auto at = joint_by_u(p, u, rows);
  for (int i = 0; i < 100; ++i) {
    double step = -at.gradient / at.hessian[0][0];
    if (!(std::abs(step) > 1e-12 * (1 + std::abs(u)))) {
      break;
    }
    auto next = joint_by_u(p, u + step, rows);
    while (next.value < at.value && std::abs(step) > 1e-9) {
      step /= 2;
      next = joint_by_u(p, u + step, rows);
    }
    u += step;
    at = next;
  }
  return u;
}

inline Parameters parameters_of(const Data& data, const Eigen::VectorXd& x) {
  Parameters p{};
  for (std::size_t i = 0; i < data.fitted.size(); ++i) {
    p[data.fitted[i]] = x[static_cast<Eigen::Index>(i)];
  }
  return p;
}

/// Maximises the sum of all groups' approximate log-likelihoods.
inline example::Minimum fit(const Data& data, int iterations) {
  const auto size = static_cast<Eigen::Index>(data.fitted.size());
  const auto evaluate = [&](const Eigen::VectorXd& x) {
    const Parameters p = parameters_of(data, x);
    example::Expansion sum{0, Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size)};
    for (const auto& rows : data.groups) {
      const auto [value, gradient, hessian] = log_likelihood(p, mode_of(p, rows), rows);
      sum.value -= value;
      for (std::size_t i = 0; i < data.fitted.size(); ++i) {
        sum.gradient[static_cast<Eigen::Index>(i)] -= gradient[data.fitted[i]];
        for (std::size_t j = 0; j < data.fitted.size(); ++j) {
          sum.hessian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) -=
              hessian[data.fitted[i]][data.fitted[j]];
        }
      }
    }
    return sum;
  };
  return example::minimise(evaluate, Eigen::VectorXd::Zero(size), iterations, 1e-12);
}

}  // namespace mixed_model
