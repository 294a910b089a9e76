#pragma once

#include "../common/random.hpp"
#include "attack.hpp"
#include "data.hpp"
#include "network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace adversarial_training {

struct Options {
  int hidden = 32;
  int updates = 2000;
  double rate = 0.01;
  double radius = 0.25;
  int steps = 1;  ///< of the attacks in training
  int seed = 1;
};

/// Applies f to each number of p and the numbers at the same place of the others.
template <class F, class... Others>
void for_each_number(F f, Parameters& p, Others&... others) {
  const auto each = [&f](auto& first, auto&... rest) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      f(first.data()[i], rest.data()[i]...);
    }
  };
  each(p.hidden_weights, others.hidden_weights...);
  each(p.hidden_bias, others.hidden_bias...);
  each(p.output_weights, others.output_weights...);
  f(p.output_bias, others.output_bias...);
}

inline Parameters starting_point(std::size_t inputs, int hidden, example::Random& random) {
  const auto units = static_cast<std::size_t>(hidden);
  Parameters p{matrix::from_shape({inputs, units}), vector::from_shape({units}), vector::from_shape({units})};
  for (double& weight : p.hidden_weights) {
    weight = random.normal(0, 1 / std::sqrt(static_cast<double>(inputs)));
  }
  for (double& bias : p.hidden_bias) {
    bias = random.normal();
  }
  for (double& weight : p.output_weights) {
    weight = random.normal(0, 1 / std::sqrt(static_cast<double>(units)));
  }
  return p;
}

/// A hundred points at a time, in an order that changes; all of them where there are no more.
class Batches {
 public:
  static constexpr std::size_t largest = 100;

  explicit Batches(const Points& all) : all_(all), size_(std::min(largest, all.classes.size())) {
    for (std::size_t n = 0; n < all.classes.size(); ++n) {
      order_.push_back(n);
    }
    batch_.points = matrix::from_shape({size_, all.points.shape(1)});
    batch_.classes = vector::from_shape({size_});
  }
  Batch& next(example::Random& random) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (at_ == 0) {
        random.shuffle(order_);
      }
      std::copy_n(&all_.points(order_[at_], 0), all_.points.shape(1), &batch_.points(i, 0));
      batch_.classes[i] = all_.classes[order_[at_]];
      at_ = (at_ + 1) % order_.size();
    }
    return batch_;
  }

 private:
  const Points& all_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::vector<std::size_t> order_;
  Batch batch_;
};

/// Descends by Adam's method (Kingma, Ba 2014). `report(update)` is called after each update.
template <class Report>
Parameters train(const Points& data, const Parameters& start, const Options& options, GradientFunction gradient,
                 Report report) {
  example::Random random(static_cast<std::uint64_t>(options.seed) + 1);
  Batches batches(data);
  Parameters p = start;
  Parameters first = start;
  for_each_number([](double& m) { m = 0; }, first);
  Parameters second = first;
  for (int update = 1; update <= options.updates; ++update) {
    Batch& batch = batches.next(random);
    batch.seen_from = seen_from(p, batch.points, batch.classes, options.radius, options.steps);
    Parameters g = gradient(p, batch, options.radius);
    const double of_first = 1 - std::pow(0.9, update);
    const double of_second = 1 - std::pow(0.999, update);
    for_each_number(
        [&](double& x, const double& slope, double& m, double& v) {
          m += 0.1 * (slope - m);
          v += 0.001 * (slope * slope - v);
          x -= options.rate * (m / of_first) / (std::sqrt(v / of_second) + 1e-8);
        },
        p, g, first, second);
    report(update);
  }
  return p;
}

}  // namespace adversarial_training
