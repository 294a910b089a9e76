#pragma once

#include "../common/minimise.hpp"
#include "../common/random.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace yield_curve {

/// A bond that pays its coupon once a year and 100 with the last one.
struct Bond {
  double maturity;  ///< in years
  double coupon;    ///< a year, of 100
  double price;     ///< what is paid for it today, accrued interest included
};

/// Of Svensson's curve: the levels b0 to b3 in percent, the logarithms of its two times in years.
using Parameters = std::array<double, 6>;

/// The zero rate for a payment after `time` years, in percent a year, continuously compounded (Svensson 1994):
///   b0 + b1 h(t / τ1) + b2 (h(t / τ1) - exp(-t / τ1)) + b3 (h(t / τ2) - exp(-t / τ2)),  h(x) = (1 - exp(-x)) / x
template <class P, class T>
constexpr auto zero_rate(const P& p, const T& time) {
  using std::exp, std::expm1;
  const auto x = time * exp(-p[4]), x2 = time * exp(-p[5]);
  const auto h = -expm1(-x) / x, h2 = -expm1(-x2) / x2;
  return p[0] + p[1] * h + p[2] * (h - exp(-x)) + p[3] * (h2 - exp(-x2));
}

/// The present value of the bond's payments, of which there are `payments`: a loop whose length comes at run time.
struct Price {
  template <class P, class T, class N>
  constexpr auto operator()(const P& p, const T& maturity, const T& coupon, const N& payments) const {
    const auto discounted = [&](const auto& time) { return exp(-0.01 * zero_rate(p, time) * time); };
    const auto coupons = scan([&](const auto& sum, const auto& k) { return sum + coupon * discounted(maturity - k); },
                              T(0.0), steps(payments));
    return coupons + 100.0 * discounted(maturity);
  }
};
inline constexpr auto price = tapeless::value_and_gradient(Price{}, tapeless::wrt<0>);

/// The coupons that are still to come, one of them with the last payment.
inline int payments(const Bond& bond) { return static_cast<int>(std::ceil(bond.maturity)); }

/// The model's price less the bond's, and its gradient.
inline auto misfit(const Parameters& p, const Bond& bond) {
  auto result = price(p, bond.maturity, bond.coupon, payments(bond));
  result.value -= bond.price;
  return result;
}

/// Half the sum of the squared misfits, each over the bond's maturity: nearly an error of its yield, in percent.
inline example::Expansion sum_of_squares(const std::vector<Bond>& bonds, const Eigen::VectorXd& x) {
  Parameters p;
  Eigen::VectorXd::Map(p.data(), 6) = x;
  example::Expansion sum{0, Eigen::VectorXd::Zero(6), Eigen::MatrixXd::Zero(6, 6)};
  for (const Bond& bond : bonds) {
    const auto [value, gradient] = misfit(p, bond);
    const double residual = value / bond.maturity;
    const Eigen::VectorXd row = Eigen::VectorXd::Map(gradient.data(), 6) / bond.maturity;
    sum.value += 0.5 * residual * residual;
    sum.gradient += residual * row;
    sum.hessian += row * row.transpose();
  }
  return sum;
}

/// Calibrates by Levenberg and Marquardt's method, from an ordinary curve at each pair of some times: the sum has
/// several minima. The best is the result.
inline example::Minimum calibrate(const std::vector<Bond>& bonds, int iterations) {
  double level = 0;
  for (const Bond& bond : bonds) {
    // By its price and all payments together, a bond's yield on average.
    const double paid = 100 + bond.coupon * payments(bond);
    level += 100 * std::log(paid / bond.price) / bond.maturity / static_cast<double>(bonds.size());
  }
  example::Minimum best;
  constexpr std::array times{0.5, 1.5, 4.0, 8.0, 15.0};
  for (const double first : times) {
    for (const double second : times) {
      if (first == second) {
        continue;
      }
      Eigen::VectorXd start(6);
      start << level, -1, 0, 0, std::log(first), std::log(second);
      auto found = example::minimise([&](const auto& x) { return sum_of_squares(bonds, x); }, start, iterations, 1e-12);
      if (best.values.empty() || found.at.value < best.at.value) {
        best = std::move(found);
      }
    }
  }
  return best;
}

struct Rate {
  double value;
  double error;  ///< its standard error
};
/// A rate of the calibrated curve, where the parameters have this covariance.
inline Rate zero_rate_with_error(const Parameters& p, const Eigen::MatrixXd& covariance, double time) {
  constexpr auto rate = tapeless::value_and_gradient([](auto q, auto t) { return zero_rate(q, t); }, tapeless::wrt<0>);
  const auto [value, gradient] = rate(p, time);
  const Eigen::VectorXd by = Eigen::VectorXd::Map(gradient.data(), 6);
  return {value, std::sqrt(by.dot(covariance * by))};
}

/// Bonds of a made-up market whose prices are wrong by `noise` percent of yield, standard deviation.
inline std::vector<Bond> generate(std::size_t count, double noise, std::uint64_t seed) {
  const Parameters truth{4.2, -2.1, -3.0, 2.5, std::log(1.6), std::log(9.0)};
  example::Random random(seed);
  std::vector<Bond> bonds;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = (static_cast<double>(i) + random.uniform()) / static_cast<double>(count);
    // As written to the file.
    const double maturity = std::round(100 * (0.3 + 29.5 * share * share)) / 100;
    const double coupon = std::round(8 * (1 + 4 * random.uniform())) / 8;
    Bond bond{maturity, coupon, 0};
    bond.price = misfit(truth, bond).value + random.normal(0, noise) * maturity;
    bonds.push_back(bond);
  }
  return bonds;
}

}  // namespace yield_curve
