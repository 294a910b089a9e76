#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace posteriordb {

using Vector = std::vector<double>;

/// A log density, which writes its gradient.
using LogDensity = std::function<double(const Vector&, Vector&)>;

/// The no-U-turn sampler (Hoffman and Gelman 2014) with multinomial choice of the state (Betancourt 2017). Warming up,
/// it adapts the length of the steps by dual averaging, and a diagonal metric in windows that double.
class Nuts {
 public:
  Nuts(LogDensity log_density, std::size_t dimensions, unsigned seed, double acceptance = 0.8)
      : log_density_(std::move(log_density)), random_(seed), acceptance_(acceptance), variances_(dimensions, 1.0) {
    std::uniform_real_distribution<double> start(-2, 2);
    for (int i = 0; i < 1000; ++i) {
      here_.q.resize(dimensions), here_.gradient.resize(dimensions);
      for (double& q : here_.q) q = start(random_);
      here_.value = log_density_(here_.q, here_.gradient);
      if (std::isfinite(here_.value)) return;
    }
    throw std::runtime_error("no point where the density is finite");
  }

  void warm_up(int count) {
    choose_step();
    int end = 100, window = 25;
    Vector mean(variances_.size()), squares(variances_.size());
    double collected = 0;
    for (int i = 0; i < count; ++i) {
      adapt_step(draw());
      if (i < 75 || i >= count - 50) continue;
      ++collected;
      for (std::size_t k = 0; k < mean.size(); ++k) {
        const double from = here_.q[k] - mean[k];
        mean[k] += from / collected;
        squares[k] += from * (here_.q[k] - mean[k]);
      }
      if (i + 1 != end && i + 1 != count - 50) continue;
      for (std::size_t k = 0; k < mean.size(); ++k)
        variances_[k] = (squares[k] / (collected - 1) * collected + 5e-3) / (collected + 5);
      window *= 2;
      end = end + 3 * window > count - 50 ? count - 50 : end + window;
      mean.assign(mean.size(), 0), squares = mean, collected = 0;
      choose_step();
    }
    step_ = std::exp(log_step_mean_);
    gradients_ = divergences_ = 0;
  }

  /// The next state.
  const Vector& operator()() {
    draw();
    return here_.q;
  }

  /// Since it was warm.
  std::size_t gradients() const { return gradients_; }
  std::size_t divergences() const { return divergences_; }

 private:
  struct State {
    Vector q, p, gradient;
    double value;
  };
  struct Tree {
    State first, last;  ///< in the order of time
    Vector sum;         ///< of momenta
    State chosen;
    double log_weight;
    bool valid;
  };

  double energy(const State& s) const {
    double kinetic = 0;
    for (std::size_t k = 0; k < s.p.size(); ++k) kinetic += s.p[k] * s.p[k] * variances_[k];
    return kinetic / 2 - s.value;
  }
  void refresh() {
    here_.p.resize(here_.q.size());
    for (std::size_t k = 0; k < here_.p.size(); ++k) here_.p[k] = normal_(random_) / std::sqrt(variances_[k]);
  }
  State leap(State s, double step) {
    for (std::size_t k = 0; k < s.q.size(); ++k) {
      s.p[k] += step / 2 * s.gradient[k];
      s.q[k] += step * variances_[k] * s.p[k];
    }
    s.value = log_density_(s.q, s.gradient);
    for (std::size_t k = 0; k < s.q.size(); ++k) s.p[k] += step / 2 * s.gradient[k];
    ++gradients_;
    return s;
  }
  bool turns(const Tree& t) const {
    double at_first = 0, at_last = 0;
    for (std::size_t k = 0; k < t.sum.size(); ++k) {
      at_first += t.sum[k] * variances_[k] * t.first.p[k];
      at_last += t.sum[k] * variances_[k] * t.last.p[k];
    }
    return !(at_first > 0 && at_last > 0);
  }
  /// Appends `later` to `tree`. It becomes the choice with its share of the weights, or in favour of the new half.
  void join(Tree& tree, Tree later, bool forward, bool favour) {
    const double larger = std::max(tree.log_weight, later.log_weight);
    const double total = larger + std::log(std::exp(tree.log_weight - larger) + std::exp(later.log_weight - larger));
    if (std::log(uniform_(random_)) < later.log_weight - (favour ? tree.log_weight : total))
      tree.chosen = std::move(later.chosen);
    for (std::size_t k = 0; k < tree.sum.size(); ++k) tree.sum[k] += later.sum[k];
    (forward ? tree.last : tree.first) = std::move(forward ? later.last : later.first);
    tree.log_weight = total;
    tree.valid = later.valid && !turns(tree);
  }
  Tree grow(const State& from, int depth, bool forward, double start) {
    if (depth == 0) {
      State s = leap(from, forward ? step_ : -step_);
      double lost = energy(s) - start;
      if (!std::isfinite(lost)) lost = std::numeric_limits<double>::infinity();
      accepted_ += std::min(1.0, std::exp(-lost)), ++tried_;
      divergences_ += lost > 1000;
      return {s, s, s.p, s, -lost, lost <= 1000};
    }
    Tree tree = grow(from, depth - 1, forward, start);
    if (tree.valid) join(tree, grow(forward ? tree.last : tree.first, depth - 1, forward, start), forward, false);
    return tree;
  }
  /// Goes to the next state, and returns how well steps were accepted.
  double draw() {
    refresh();
    const double start = energy(here_);
    Tree tree{here_, here_, here_.p, here_, 0, true};
    accepted_ = tried_ = 0;
    for (int depth = 0; depth < 10; ++depth) {
      const bool forward = uniform_(random_) < 0.5;
      Tree later = grow(forward ? tree.last : tree.first, depth, forward, start);
      if (!later.valid) break;
      join(tree, std::move(later), forward, true);
      if (!tree.valid) break;
    }
    here_ = std::move(tree.chosen);
    return accepted_ / tried_;
  }
  /// A length of steps by which one is accepted with a probability of about the wanted one.
  void choose_step() {
    const auto accepts = [&] {
      refresh();
      const double before = energy(here_);
      return before - energy(leap(here_, step_)) > std::log(acceptance_);
    };
    const bool grows = accepts();
    do step_ *= grows ? 2 : 0.5;
    while (accepts() == grows && step_ > 1e-100 && step_ < 1e100);
    log_step_mean_ = 0, shortfall_ = 0, adapted_ = 0, centre_ = std::log(10 * step_);
  }
  void adapt_step(double accepted) {
    ++adapted_;
    shortfall_ += (acceptance_ - accepted - shortfall_) / (adapted_ + 10);
    const double log_step = centre_ - shortfall_ * std::sqrt(adapted_) / 0.05;
    log_step_mean_ += std::pow(adapted_, -0.75) * (log_step - log_step_mean_);
    step_ = std::exp(log_step);
  }

  LogDensity log_density_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{0, 1};
  double acceptance_;
  Vector variances_;  ///< the inverse of the metric
  State here_;
  double step_ = 1, log_step_mean_ = 0, shortfall_ = 0, adapted_ = 0, centre_ = 0;
  double accepted_ = 0, tried_ = 0;
  std::size_t gradients_ = 0, divergences_ = 0;
};

}  // namespace posteriordb
