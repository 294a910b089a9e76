#pragma once

#include "parameters.hpp"
#include "sum.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <type_traits>

namespace mixture {

using namespace tapeless::literals;
using tapeless::variable;

/// Formulas of one row of the data. All of them leave out the constant -log(2 pi)/2 of the normal density:
/// sum_over_rows adds it back.
namespace row {

inline constexpr auto x = variable<"x">;
inline constexpr auto logit = variable<"logit">;
inline constexpr auto mean1 = variable<"mean1">;
inline constexpr auto mean2 = variable<"mean2">;
inline constexpr auto log_sd1 = variable<"log_sd1">;
inline constexpr auto log_sd2 = variable<"log_sd2">;

// log(weight * density) of x under each component; the weights are sigmoid(logit) and sigmoid(-logit).
inline constexpr auto joint1 = -softplus(-logit) - log_sd1 - square((x - mean1) * exp(-log_sd1)) / 2_c;
inline constexpr auto joint2 = -softplus(logit) - log_sd2 - square((x - mean2) * exp(-log_sd2)) / 2_c;

/// What a fit maximises. Its gradient has to go through the logarithm of the sum.
inline constexpr auto log_likelihood = logsumexp(joint1, joint2);

// The responsibilities: how likely each component is to have produced x, by Bayes from the log odds. They depend on
// the parameters, but for the derivative they are numbers.
inline constexpr auto from1 = stop_gradient(sigmoid(joint1 - joint2));
inline constexpr auto from2 = stop_gradient(sigmoid(joint2 - joint1));
static_assert(std::is_same_v<tapeless::derivative_t<decltype(from1), decltype(mean1)>, tapeless::Zero>);

/// What EM maximises: the expected complete-data log-likelihood. By Fisher's identity its gradient, with the
/// responsibilities stopped, is the gradient of the log-likelihood.
inline constexpr auto expected = from1 * joint1 + from2 * joint2;

/// The value of log_likelihood with the gradient of expected: the first difference is 0 and only its gradient counts.
inline constexpr auto surrogate = (expected - stop_gradient(expected)) + stop_gradient(log_likelihood);

}  // namespace row

/// A formula's value and gradient, summed over the rows of the data.
struct Total {
  double value;
  PerParameter gradient;
  PerParameter size;  ///< the sums of the absolute terms: what rounding errors in the gradient are relative to
};

/// Evaluates value and gradient of one of the row formulas at every row; one pass over the data.
template <class Formula>
Total sum_over_rows(Formula formula, std::span<const double> rows, const Parameters& at) {
  using namespace row;
  const auto value_and_gradient =
      tapeless::value_and_gradient(formula, tapeless::wrt(logit, mean1, mean2, log_sd1, log_sd2));
  Sum value;
  std::array<Sum, 5> gradient;
  PerParameter size{};
  for (const double datum : rows) {
    const auto result = value_and_gradient(x = datum, logit = at.logit, mean1 = at.mean1, mean2 = at.mean2,
                                           log_sd1 = at.log_sd1, log_sd2 = at.log_sd2);
    const auto& g = result.gradient;
    const PerParameter terms{g[logit], g[mean1], g[mean2], g[log_sd1], g[log_sd2]};
    value += result.value;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      gradient[i] += terms[i];
      size[i] += std::abs(terms[i]);
    }
  }
  Total total{value.value() - 0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(rows.size()), {}, size};
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    total.gradient[i] = gradient[i].value();
  }
  return total;
}

}  // namespace mixture
