#pragma once

#include "attack.hpp"
#include "train.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace adversarial_training {

inline double largest_difference(const Parameters& x, const Parameters& y) {
  double largest = 0;
  Parameters left = x;
  for_each_number([&](double p, double q) { largest = std::max(largest, std::abs(p - q)); }, left, y);
  return largest;
}

/// The mean cross entropy, by a loop.
inline double loss_at(const Parameters& p, const matrix& points, const vector& classes) {
  double sum = 0;
  for (std::size_t n = 0; n < points.shape(0); ++n) {
    double f = p.output_bias;
    for (std::size_t j = 0; j < p.hidden_bias.size(); ++j) {
      double input = p.hidden_bias[j];
      for (std::size_t i = 0; i < points.shape(1); ++i) {
        input += points(n, i) * p.hidden_weights(i, j);
      }
      f += std::tanh(input) * p.output_weights[j];
    }
    const double wrong = -classes[n] * f;
    sum += std::max(wrong, 0.0) + std::log1p(std::exp(-std::abs(wrong)));
  }
  return sum / static_cast<double>(classes.size());
}

/// Central differences of `loss`, a function of parameters, by at most 200 of these; what `gradient` differs from them
/// by at most, there.
template <class Loss>
double error_of(const Parameters& gradient, const Parameters& at, Loss loss) {
  constexpr double h = 1e-5;
  constexpr int most = 200;
  double largest = 0;
  int count = 0;
  Parameters there = at;
  for_each_number(
      [&](double& parameter, const double& derivative) {
        if (count++ < most) {
          const double value = parameter;
          parameter = value + h;
          const double above = loss(there);
          parameter = value - h;
          const double below = loss(there);
          parameter = value;
          largest = std::max(largest, std::abs((above - below) / (2 * h) - derivative));
        }
      },
      there, gradient);
  return largest;
}

/// How the gradients compare, for attacks of one step.
struct Comparison {
  double constant;        ///< stopped, and plain at the attacked points taken for data: the same
  double held;            ///< stopped, and differences in which the attack is held
  double moving;          ///< not stopped, and differences in which the attack moves along
  double stopped_or_not;  ///< between the two
  double largest;         ///< entry of the stopped one
};

inline Comparison compare(const Parameters& p, const Points& data, double length) {
  Batch batch{data.points, data.points, data.classes};
  const Parameters stopped = stopped_gradient(p, batch, length);
  const Parameters not_stopped = not_stopped_gradient(p, batch, length);
  const matrix attacked = moved(data.points, attacks(p, data.points, data.classes, length));
  Parameters zero = p;
  for_each_number([](double& number) { number = 0; }, zero);
  return {largest_difference(stopped, plain_gradient(p, {attacked, {}, data.classes}, length)),
          error_of(stopped, p, [&](const Parameters& at) { return loss_at(at, attacked, data.classes); }),
          error_of(not_stopped, p,
                   [&](const Parameters& at) {
                     return loss_at(at, moved(data.points, attacks(at, data.points, data.classes, length)),
                                    data.classes);
                   }),
          largest_difference(stopped, not_stopped), largest_difference(stopped, zero)};
}

/// What the stop changes when the attack takes `steps` steps, relative to the largest entry.
inline double change_by_stop(const Parameters& p, const Points& data, double length, int steps) {
  const Batch batch{data.points, seen_from(p, data.points, data.classes, length, steps), data.classes};
  const Parameters stopped = stopped_gradient(p, batch, length);
  Parameters zero = p;
  for_each_number([](double& number) { number = 0; }, zero);
  return largest_difference(stopped, not_stopped_gradient(p, batch, length)) / largest_difference(stopped, zero);
}

}  // namespace adversarial_training
