#pragma once

#include "../common/random.hpp"
#include "exact.hpp"
#include "machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace boltzmann_machine {

struct Options {
  int hidden = 16;
  int chains = 200;
  int updates = 6000;
  int steps = 1;           ///< of Gibbs sampling before each update
  double rate = 0.1;       ///< of the updates
  double decay = 5e-4;     ///< of the weights
  bool persistent = true;  ///< chains go on where they were, instead of at the data
  int seed = 1;
};

inline void fill_uniform(example::Random& random, matrix& numbers) {
  for (double& number : numbers) {
    number = random.uniform();
  }
}

/// A step of the chain, and what it needs room for.
class Sampler {
 public:
  Sampler(std::size_t chains, const Parameters& p)
      : visible_uniform_(matrix::from_shape({chains, p.visible_bias.size()})),
        hidden_uniform_(matrix::from_shape({chains, p.hidden_bias.size()})) {}

  matrix visible(const Parameters& p, const matrix& hidden, example::Random& random) {
    fill_uniform(random, visible_uniform_);
    return where(U < visible_mean, tapeless::constant<1>, tapeless::constant<0>)(H = hidden, U = visible_uniform_,
                                                                                 W = p.weights, b = p.visible_bias);
  }
  matrix hidden(const Parameters& p, const matrix& visible, example::Random& random) {
    fill_uniform(random, hidden_uniform_);
    return where(U < hidden_mean, tapeless::constant<1>, tapeless::constant<0>)(V = visible, U = hidden_uniform_,
                                                                                W = p.weights, c = p.hidden_bias);
  }

 private:
  matrix visible_uniform_;
  matrix hidden_uniform_;
};

/// Small random weights; visible biases by which each unit alone has the mean of the data.
inline Parameters starting_point(const matrix& data, int hidden, example::Random& random) {
  const std::size_t visible = data.shape(1);
  const auto hidden_units = static_cast<std::size_t>(hidden);
  Parameters p{matrix::from_shape({visible, hidden_units}), vector::from_shape({visible}),
               vector::from_shape({hidden_units})};
  for (double& weight : p.weights) {
    weight = random.normal(0, 0.1);
  }
  p.hidden_bias.fill(0);
  for (std::size_t i = 0; i < visible; ++i) {
    double sum = 0;
    for (std::size_t n = 0; n < data.shape(0); ++n) {
      sum += data(n, i);
    }
    const double mean = std::clamp(sum / static_cast<double>(data.shape(0)), 0.01, 0.99);
    p.visible_bias[i] = std::log(mean / (1 - mean));
  }
  return p;
}

/// to += factor * step
inline void add(Parameters& to, double factor, const Parameters& step) {
  const auto each = [factor](auto& left, const auto& right) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      left.data()[i] += factor * right.data()[i];
    }
  };
  each(to.weights, step.weights);
  each(to.visible_bias, step.visible_bias);
  each(to.hidden_bias, step.hidden_bias);
}

/// to += share * (from - to)
inline void average(Parameters& to, double share, const Parameters& from) {
  add(to, -share, Parameters(to));
  add(to, share, from);
}

/// How good parameters are after some updates: their exact log-likelihood where it can be had, and the mean square by
/// which pictures miss those made of their hidden units' means.
struct Record {
  int update;
  double last;      ///< log-likelihood of the parameters
  double averaged;  ///< of their averages
  double missed;    ///< by the averages
};

struct Training {
  Parameters parameters;  ///< averages over the last updates
  matrix hidden;          ///< where the chains ended
  std::vector<Record> records;
};

inline double missed(const Parameters& p, const matrix& data) {
  const matrix hidden = hidden_mean(V = data, W = p.weights, c = p.hidden_bias);
  const matrix again = visible_mean(H = hidden, W = p.weights, b = p.visible_bias);
  double sum = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const double difference = data.data()[i] - again.data()[i];
    sum += difference * difference;
  }
  return sum / static_cast<double>(data.size());
}

/// Lets as many pictures as `batch` has rows take their turns; all of them, if they fit.
class Batches {
 public:
  static constexpr std::size_t largest = 100;

  explicit Batches(const matrix& data) : data_(data), batch_(data) {
    if (data.shape(0) > largest) {
      batch_ = matrix::from_shape({largest, data.shape(1)});
      for (std::size_t i = 0; i < data.shape(0); ++i) {
        order_.push_back(i);
      }
    }
  }
  const matrix& next(example::Random& random) {
    if (!order_.empty()) {
      for (std::size_t i = 0; i < largest; ++i) {
        if (at_ == 0) {
          random.shuffle(order_);
        }
        std::copy_n(&data_(order_[at_], 0), data_.shape(1), &batch_(i, 0));
        at_ = (at_ + 1) % order_.size();
      }
    }
    return batch_;
  }

 private:
  const matrix& data_;
  matrix batch_;
  std::vector<std::size_t> order_;
  std::size_t at_ = 0;
};

/// Descends along `gradient` from `start`. `report(update)` is called after each; ten and a first record are kept.
template <class Report>
Training train(const matrix& data, const Parameters& start, const Options& options, bool exact,
               GradientFunction gradient, Report report) {
  example::Random random(static_cast<std::uint64_t>(options.seed) + 1);
  Batches batches(data);
  const auto chains = static_cast<std::size_t>(options.chains);
  Parameters p = start;
  Training result{start, matrix::from_shape({chains, start.hidden_bias.size()}), {}};
  for (double& unit : result.hidden) {
    unit = random.uniform() < 0.5 ? 1 : 0;
  }
  const auto record = [&](int update) {
    result.records.push_back({update, exact ? log_likelihood(p, data) : 0,
                              exact ? log_likelihood(result.parameters, data) : 0, missed(result.parameters, data)});
  };
  record(0);
  std::optional<Sampler> sampler;
  for (int update = 1; update <= options.updates; ++update) {
    const matrix& batch = batches.next(random);
    if (!sampler) {
      sampler.emplace(options.persistent ? chains : batch.shape(0), p);
    }
    if (!options.persistent) {
      result.hidden = sampler->hidden(p, batch, random);
    }
    // The last visible units of a chain stay means: `divergence` makes them of the hidden ones.
    for (int step = options.persistent ? 0 : 1; step < options.steps; ++step) {
      result.hidden = sampler->hidden(p, sampler->visible(p, result.hidden, random), random);
    }
    const Parameters g = gradient(p, batch, result.hidden);
    for (std::size_t i = 0; i < p.weights.size(); ++i) {
      p.weights.data()[i] *= 1 - options.rate * options.decay;
    }
    add(p, -options.rate, g);
    // Over the last quarter at first, over the last 1000 updates later on.
    average(result.parameters, std::max(1e-3, 4.0 / (update + 4)), p);
    if (update * 10LL / options.updates != (update - 1) * 10LL / options.updates) {
      record(update);
    }
    report(update);
  }
  return result;
}

}  // namespace boltzmann_machine
