#pragma once

#include <tapeless/xtensor.hpp>

#include <cmath>

namespace example {

/// Kingma and Ba's Adam for a struct of tensors: steps by the mean of the gradients over the root of their mean square.
template <class Parameters>
class Adam {
 public:
  Adam(const Parameters& start, double rate)
      : mean_(tapeless::transform_leaves([](double) { return 0.0; }, start)), square_(mean_), rate_(rate) {}

  void move(Parameters& p, const Parameters& gradient) {
    using tapeless::transform_leaves;
    first_ *= 0.9;
    second_ *= 0.999;
    mean_ = transform_leaves([](double m, double g) { return 0.9 * m + 0.1 * g; }, mean_, gradient);
    square_ = transform_leaves([](double s, double g) { return 0.999 * s + 0.001 * g * g; }, square_, gradient);
    p = transform_leaves(
        [this](double x, double m, double s) {
          return x - rate_ * m / (1 - first_) / (std::sqrt(s / (1 - second_)) + 1e-8);
        },
        p, mean_, square_);
  }

 private:
  Parameters mean_;
  Parameters square_;
  double rate_;
  double first_ = 1;
  double second_ = 1;
};

}  // namespace example
