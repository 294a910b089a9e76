#pragma once

#include <tapeless/core/transform_leaves.hpp>

#include <boost/hana.hpp>

#include <cmath>
#include <cstdio>

namespace example {

/// Adam (Kingma and Ba, 2015) for the numbers of a structure.
template <class Parameters>
class Adam {
 public:
  Adam(double rate, const Parameters& start) : rate_(rate), mean_(zeros(start)), square_(zeros(start)) {}

  void step(Parameters& parameters, const Parameters& gradient) {
    mean_power_ *= 0.9, square_power_ *= 0.999;
    mean_ = tapeless::transform_leaves([](double m, double g) { return 0.9 * m + 0.1 * g; }, mean_, gradient);
    square_ =
        tapeless::transform_leaves([](double s, double g) { return 0.999 * s + 0.001 * g * g; }, square_, gradient);
    parameters = tapeless::transform_leaves(
        [&](double p, double m, double s) {
          return p - rate_ * (m / (1 - mean_power_)) / (std::sqrt(s / (1 - square_power_)) + 1e-8);
        },
        parameters, mean_, square_);
  }

 private:
  static Parameters zeros(const Parameters& like) {
    return tapeless::transform_leaves([](double) { return 0.0; }, like);
  }

  double rate_;
  double mean_power_ = 1, square_power_ = 1;
  Parameters mean_, square_;
};

/// The head of a table of training steps: the names of the parameters.
template <class Parameters>
void print_head() {
  std::printf("%5s %15s", "step", "loss");
  boost::hana::for_each(boost::hana::accessors<Parameters>(), [](auto accessor) {
    std::printf(" %15s", boost::hana::to<const char*>(boost::hana::first(accessor)));
  });
  std::puts("");
}

/// A row of it: the loss, and the Euclidean norms of its gradient by the parameters.
template <class Parameters>
void print_step(int step, double loss, const Parameters& gradient) {
  std::printf("%5d %15.11g", step, loss);
  boost::hana::for_each(boost::hana::members(gradient), [](const auto& member) {
    double squares = 0;
    for (const double number : member) {
      squares += number * number;
    }
    std::printf(" %15.11g", std::sqrt(squares));
  });
  std::puts("");
}

}  // namespace example
