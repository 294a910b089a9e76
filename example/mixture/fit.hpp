#pragma once

#include "../common/error.hpp"
#include "../common/progress.hpp"
#include "model.hpp"
#include "parameters.hpp"
#include "sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace mixture {

using example::Error;
using example::Progress;
using example::ShowProgress;

struct Options {
  int iterations = 500;
  double tolerance = 1e-8;  ///< a fit has converged when a step's length (see below) falls below it
};

struct Fit {
  Parameters parameters;
  std::vector<double> log_likelihood;  ///< at the start and after each iteration
  bool converged = false;
  int iterations() const { return static_cast<int>(log_likelihood.size()) - 1; }
};

struct Summary {
  double mean;
  double sd;
};

/// Mean and standard deviation, in two passes.
inline Summary summarise(std::span<const double> rows) {
  const auto n = static_cast<double>(rows.size());
  Sum sum;
  for (const double x : rows) {
    sum += x;
  }
  const double mean = sum.value() / n;
  Sum squares;
  for (const double x : rows) {
    squares += (x - mean) * (x - mean);
  }
  return {mean, std::sqrt(squares.value() / n)};
}

/// Refuses data whose likelihood has no useful maximum.
inline void check_data(std::span<const double> rows) {
  constexpr std::size_t fewest = 6;
  if (rows.size() < fewest) {
    throw Error("too few values: " + std::to_string(rows.size()) + ", but five parameters need at least " +
                std::to_string(fewest));
  }
  const double first = rows.front();
  const auto other = std::ranges::find_if(rows, [&](double x) { return x != first; });
  if (other == rows.end()) {
    throw Error("all " + std::to_string(rows.size()) + " values are equal");
  }
  if (std::ranges::all_of(rows, [&](double x) { return x == first || x == *other; })) {
    throw Error("only two different values: each component would collapse onto one of them");
  }
  if (const Summary all = summarise(rows); !std::isfinite(all.sd) || all.sd < 1e-150) {
    throw Error("the values are too large, too small or too close for their variance to be computed");
  }
}

/// Splits the rows at their mean: the share, mean and standard deviation of either side.
inline Parameters starting_point(std::span<const double> rows) {
  const Summary all = summarise(rows);
  std::vector<double> lower;
  std::vector<double> upper;
  for (const double x : rows) {
    (x <= all.mean ? lower : upper).push_back(x);
  }
  const Summary below = summarise(lower);
  const Summary above = summarise(upper);
  // A side of equal values still gets some width to start with.
  const double least = 1e-3 * all.sd;
  return {std::log(static_cast<double>(lower.size()) / static_cast<double>(upper.size())), below.mean, above.mean,
          std::log(std::max(below.sd, least)), std::log(std::max(above.sd, least))};
}

/// The length of a step: the largest change of a parameter, in units of what one row can tell about it.
inline double step_length(const Parameters& at, const PerParameter& step) {
  const PerParameter information = complete_information(at);
  double length = 0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    length = std::max(length, std::abs(step[i]) * std::sqrt(information[i]));
  }
  return length;
}

inline Parameters moved(const Parameters& p, const PerParameter& step, double rate = 1) {
  return {p.logit + rate * step[0], p.mean1 + rate * step[1], p.mean2 + rate * step[2], p.log_sd1 + rate * step[3],
          p.log_sd2 + rate * step[4]};
}

inline PerParameter difference(const Parameters& a, const Parameters& b) {
  return {a.logit - b.logit, a.mean1 - b.mean1, a.mean2 - b.mean2, a.log_sd1 - b.log_sd1, a.log_sd2 - b.log_sd2};
}

/// The likelihood of a mixture grows without bound as one component shrinks onto a single value.
inline void check_not_collapsed(const Parameters& p, double smallest_sd) {
  const double sd = std::min(p.sd1(), p.sd2());
  if (!(sd >= smallest_sd) || !std::isfinite(p.logit)) {
    throw Error("a component has collapsed onto one value, far off or often repeated: the likelihood has no maximum");
  }
}

/// Shows how far a linearly converging iteration has come, by the logarithm of its step length.
class FitProgress {
 public:
  FitProgress(ShowProgress show, std::size_t rows, const char* label, double tolerance)
      : progress_(show, rows >= 100'000, label), tolerance_(tolerance) {}
  void update(int iteration, double step_length) {
    first_ = std::max(first_, step_length);
    std::array<char, 64> detail{};
    std::snprintf(detail.data(), detail.size(), "iteration %d, step %.1e", iteration, step_length);
    progress_.update(std::log(first_ / step_length) / std::log(first_ / tolerance_), detail.data());
  }

 private:
  Progress progress_;
  double tolerance_;
  double first_ = 0;
};

/// Ascends the log-likelihood by the gradient of the surrogate. Each gradient is divided by the complete data's Fisher
/// information, which makes the step agree to first order with EM's (Lange 1995): same rate of convergence, no step
/// length to tune. Far from the maximum a step may be too long; then it is halved until the log-likelihood grows.
inline Fit fit_by_gradient(std::span<const double> rows, const Parameters& start, const Options& options,
                           ShowProgress show) {
  FitProgress progress(show, rows.size(), "gradient steps", options.tolerance);
  const double smallest_sd = 1e-8 * summarise(rows).sd;
  const auto n = static_cast<double>(rows.size());
  Parameters at = start;
  Total now = sum_over_rows(row::surrogate, rows, at);
  Fit fit{start, {now.value}};
  while (!fit.converged && fit.iterations() < options.iterations) {
    const PerParameter information = complete_information(at);
    PerParameter step{};
    for (std::size_t i = 0; i < step.size(); ++i) {
      step[i] = now.gradient[i] / (n * information[i]);
    }
    const double length = step_length(at, step);
    const double rounding = 1e-14 * std::abs(now.value);
    double rate = 1;
    Parameters next = moved(at, step);
    Total then = sum_over_rows(row::surrogate, rows, next);
    while (!(then.value >= now.value - rounding) && rate > 1e-6) {
      rate /= 2;
      next = moved(at, step, rate);
      then = sum_over_rows(row::surrogate, rows, next);
    }
    check_not_collapsed(next, smallest_sd);
    at = next;
    now = then;
    fit.log_likelihood.push_back(now.value);
    fit.converged = length < options.tolerance;
    progress.update(fit.iterations(), length);
  }
  fit.parameters = at;
  return fit;
}

/// The weighted moments of one component about its present mean, over all rows.
struct Moments {
  Sum weight;
  Sum first;
  Sum second;

  void add(double responsibility, double deviation) {
    weight += responsibility;
    first += responsibility * deviation;
    second += responsibility * deviation * deviation;
  }
  double mean() const { return first.value() / weight.value(); }
  double log_sd() const { return std::log(second.value() / weight.value() - mean() * mean()) / 2; }
};

/// Plain EM in closed form (Dempster, Laird and Rubin 1977), by hand: nothing here uses a derivative.
inline Fit fit_by_em(std::span<const double> rows, const Parameters& start, const Options& options, ShowProgress show) {
  FitProgress progress(show, rows.size(), "EM", options.tolerance);
  const double smallest_sd = 1e-8 * summarise(rows).sd;
  Fit fit{start, {}};
  Parameters at = start;
  for (;;) {
    const double log_scale1 = std::log(at.weight1() / at.sd1());
    const double log_scale2 = std::log(at.weight2() / at.sd2());
    const double precision1 = 1 / at.sd1();
    const double precision2 = 1 / at.sd2();
    Sum log_likelihood;
    Moments component1;
    Moments component2;
    for (const double x : rows) {
      const double z1 = (x - at.mean1) * precision1;
      const double z2 = (x - at.mean2) * precision2;
      const double log1 = log_scale1 - z1 * z1 / 2;
      const double log2 = log_scale2 - z2 * z2 / 2;
      // The less likely component relative to the more likely one: never overflows.
      const double ratio = std::exp(-std::abs(log1 - log2));
      const double major = 1 / (1 + ratio);
      const double minor = ratio * major;
      log_likelihood += std::max(log1, log2) + std::log1p(ratio);
      component1.add(log1 >= log2 ? major : minor, x - at.mean1);
      component2.add(log1 >= log2 ? minor : major, x - at.mean2);
    }
    fit.log_likelihood.push_back(log_likelihood.value() -
                                 0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(rows.size()));
    if (fit.converged || fit.iterations() == options.iterations) {
      break;
    }
    const Parameters next{std::log(component1.weight.value() / component2.weight.value()), at.mean1 + component1.mean(),
                          at.mean2 + component2.mean(), component1.log_sd(), component2.log_sd()};
    check_not_collapsed(next, smallest_sd);
    const double length = step_length(at, difference(next, at));
    fit.converged = length < options.tolerance;
    progress.update(fit.iterations(), length);
    at = next;
  }
  fit.parameters = at;
  return fit;
}

}  // namespace mixture
