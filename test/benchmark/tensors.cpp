// Value and gradients over tensors next to hand-written SIMD loops: both in one process, measured alternately; the
// ratio of the fastest runs. Prints a table; nothing depends on it.
#include "compare_tensors.hpp"
#include "gated_unit.hpp"
#include "hand_simd.hpp"
#include "mixture_arrays.hpp"
#include "perceptron.hpp"

#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace {

using namespace tapeless;
inline constexpr auto X = variable<"X">;
inline constexpr auto w = variable<"w">;
inline constexpr auto t = variable<"t">;
inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto mu = variable<"mu">;
inline constexpr auto sigma = variable<"sigma">;
inline constexpr auto a = variable<"a">;
inline constexpr auto b = variable<"b">;
inline constexpr auto c = variable<"c">;

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

std::mt19937_64 generator(1);
template <class Tensor>
void randomise(Tensor& tensor, double low, double high) {
  std::uniform_real_distribution<double> uniform(low, high);
  for (double& e : tensor) e = uniform(generator);
}
vector random_vector(std::size_t n, double low = -1, double high = 1) {
  vector result = vector::from_shape({n});
  randomise(result, low, high);
  return result;
}

void logistic(std::size_t n, std::size_t d) {
  matrix data = matrix::from_shape({n, d});
  randomise(data, -1, 1);
  vector labels = random_vector(n, 0, 1), weights = random_vector(d), gradient = weights;
  for (double& l : labels) l = l < 0.5 ? 0 : 1;
  const auto z = dot(X, w);
  const auto step = value_and_gradient(mean(softplus(z) - t * z), wrt(w));
  auto r = step(X = data, t = labels, w = weights);
  std::vector<double> scratch;
  const auto ours = [&] { step(into(r), X = data, t = labels, w = weights); };
  double loss = 0;
  const auto hand = [&] {
    loss = by_hand::logistic(data.data(), labels.data(), weights.data(), gradient.data(), n, d, scratch);
  };
  ours(), hand();
  compare(d == 10 ? "logistic, n x 10" : "logistic, n x 100", n, ours, hand,
          largest_difference(r.gradient[w], gradient) + relative_difference(r.value, loss));
}

void normal(std::size_t n) {
  const vector points = random_vector(n);
  vector gradient = points;
  const double mean = random_vector(1)(0), deviation = 1.5 + mean * mean;
  double density = 0, gmu = 0, gsigma = 0;
  const auto z = (x - mu) / sigma;
  const auto step = value_and_gradient(sum(-0.5 * square(z) - log(sigma) - 0.91893853320467274178), wrt(mu, sigma, x));
  auto r = step(x = points, mu = mean, sigma = deviation);
  const auto ours = [&] { step(into(r), x = points, mu = mean, sigma = deviation); };
  const auto hand = [&] { density = by_hand::normal(points.data(), mean, deviation, gmu, gsigma, gradient.data(), n); };
  ours(), hand();
  compare("normal log density", n, ours, hand,
          largest_difference(r.gradient[x], gradient) + std::abs(r.gradient[mu] / gmu - 1) +
              std::abs(r.gradient[sigma] / gsigma - 1) + relative_difference(r.value, density));
}

void cross_entropy(std::size_t n) {
  const vector logits = random_vector(n, -3, 3), target = random_vector(n, 0, 1);
  vector gradient = logits;
  const auto shifted = x - stop_gradient(amax(x));
  const auto step = value_and_gradient(-sum(t * (shifted - log(sum(exp(shifted))))), wrt(x));
  auto r = step(x = logits, t = target);
  const auto ours = [&] { step(into(r), x = logits, t = target); };
  double loss = 0;
  const auto hand = [&] { loss = by_hand::cross_entropy(logits.data(), target.data(), gradient.data(), n); };
  ours(), hand();
  compare("softmax cross-entropy, n", n, ours, hand,
          largest_difference(r.gradient[x], gradient) + relative_difference(r.value, loss));
}

void cross_entropy_rows(std::size_t rows, std::size_t classes) {
  matrix logits = matrix::from_shape({rows, classes}), target = logits, gradient = logits;
  randomise(logits, -3, 3);
  randomise(target, 0, 1);
  const auto step = value_and_gradient(-sum(t * log_softmax<1>(x)), wrt(x));
  auto r = step(x = logits, t = target);
  const auto ours = [&] { step(into(r), x = logits, t = target); };
  double loss = 0;
  const auto hand = [&] {
    loss = 0;
    for (std::size_t i = 0; i < rows; ++i)
      loss += by_hand::cross_entropy(&logits(i, 0), &target(i, 0), &gradient(i, 0), classes);
  };
  ours(), hand();
  compare(classes == 10 ? "softmax, rows x 10" : "softmax, rows x 100", rows, ours, hand,
          largest_difference(r.gradient[x], gradient) + relative_difference(r.value, loss));
}

void tanh_exp(std::size_t n) {
  const vector av = random_vector(n), bv = random_vector(n), cv = random_vector(n);
  vector ga = av, gb = av, gc = av;
  const auto step = value_and_gradient(sum(tanh(a * b + c) * exp(-b * b)), wrt(a, b, c));
  auto r = step(a = av, b = bv, c = cv);
  const auto ours = [&] { step(into(r), a = av, b = bv, c = cv); };
  double total = 0;
  const auto hand = [&] {
    total = by_hand::tanh_exp(av.data(), bv.data(), cv.data(), ga.data(), gb.data(), gc.data(), n);
  };
  ours(), hand();
  compare("tanh(a b + c) exp(-b b)", n, ours, hand,
          largest_difference(r.gradient[a], ga) + largest_difference(r.gradient[b], gb) +
              largest_difference(r.gradient[c], gc) + relative_difference(r.value, total));
}

/// A component of the mixture as variables.
template <fixed_string Logit, fixed_string M, fixed_string N, fixed_string P, fixed_string Q, fixed_string R>
struct component_variables {
  static constexpr auto logit = variable<Logit>;
  static constexpr auto m = variable<M>;
  static constexpr auto n = variable<N>;
  static constexpr auto p = variable<P>;
  static constexpr auto q = variable<Q>;
  static constexpr auto r = variable<R>;
  static constexpr auto log_density() {
    const auto u = p * (x - m);
    const auto v = q * (x - m) + r * (y - n);
    return log(p * r) - (square(u) + square(v)) / 2_c;
  }
};
using first = component_variables<"l1", "m1", "n1", "p1", "q1", "r1">;
using second = component_variables<"l2", "m2", "n2", "p2", "q2", "r2">;
using third = component_variables<"l3", "m3", "n3", "p3", "q3", "r3">;
using fourth = component_variables<"l4", "m4", "n4", "p4", "q4", "r4">;
using fifth = component_variables<"l5", "m5", "n5", "p5", "q5", "r5">;

template <by_hand::objective Objective, class... Ks, std::size_t... I>
void mixture_of(const char* name, std::size_t n, std::index_sequence<I...>) {
  constexpr std::size_t K = sizeof...(Ks);
  const vector xs = random_vector(n, -2, 2), ys = random_vector(n, -2, 2);
  by_hand::component theta[K], g[K];
  for (by_hand::component& k : theta) {
    const vector random = random_vector(6);
    k = {random(0), random(1), random(2), 1.5 + random(3), random(4), 1.5 + random(5)};
  }
  const auto normaliser = logsumexp(Ks::logit...);
  const auto objective = [](auto... l) {
    const auto likelihood = logsumexp(l...);
    if constexpr (Objective == by_hand::objective::likelihood)
      return likelihood;
    else
      return (... + (stop_gradient(exp(l - likelihood)) * l));
  }((Ks::logit - normaliser + Ks::log_density())...);
  const auto step =
      value_and_gradient(sum(objective), wrt(Ks::logit..., Ks::m..., Ks::n..., Ks::p..., Ks::q..., Ks::r...));
  const auto bound = [&](auto call) {
    return call(x = xs, y = ys, (Ks::logit = theta[I].logit)..., (Ks::m = theta[I].m)..., (Ks::n = theta[I].n)...,
                (Ks::p = theta[I].p)..., (Ks::q = theta[I].q)..., (Ks::r = theta[I].r)...);
  };
  auto r = bound(step);
  double density = 0;
  const auto ours = [&] { bound([&](const auto&... bindings) { step(into(r), bindings...); }); };
  const auto hand = [&] { density = by_hand::mixture<K, Objective>(xs.data(), ys.data(), theta, g, n); };
  ours(), hand();
  double difference = relative_difference(r.value, density);
  const auto meet = [&](double left, double right) {
    difference = std::max(difference, relative_difference(left, right));
  };
  (meet(r.gradient[Ks::logit], g[I].logit), ...), (meet(r.gradient[Ks::m], g[I].m), ...);
  (meet(r.gradient[Ks::n], g[I].n), ...), (meet(r.gradient[Ks::p], g[I].p), ...);
  (meet(r.gradient[Ks::q], g[I].q), ...), (meet(r.gradient[Ks::r], g[I].r), ...);
  compare(name, n, ours, hand, difference);
}
void mixture(std::size_t n) {
  mixture_of<by_hand::objective::likelihood, first, second, third, fourth, fifth>("Gaussian mixture, d 2, k 5", n,
                                                                                  std::make_index_sequence<5>{});
}
/// The gradient of an M-step, whose E-step is stopped.
void expectation_maximization(std::size_t n) {
  mixture_of<by_hand::objective::expected_likelihood, first, second, third>("EM, d 2, k 3", n,
                                                                            std::make_index_sequence<3>{});
}

/// Each option's price and five derivatives: a batch of a scalar formula next to the scalar loop.
void black_scholes(std::size_t n) {
  constexpr auto spot = variable<"S">;
  constexpr auto strike = variable<"K">;
  constexpr auto time = variable<"T">;
  constexpr auto rate = variable<"r">;
  constexpr auto volatility = variable<"v">;
  const auto normal_cdf = [](auto z) { return erfc(-0.70710678118654752440 * z) / 2_c; };
  const auto deviation = volatility * sqrt(time);
  const auto d1 = (log(spot / strike) + (rate + square(volatility) / 2_c) * time) / deviation;
  const auto price = spot * normal_cdf(d1) - strike * exp(-rate * time) * normal_cdf(d1 - deviation);
  const vector S = random_vector(n, 80, 120), K = random_vector(n, 80, 120), T = random_vector(n, 0.1, 2),
               R = random_vector(n, 0, 0.05), V = random_vector(n, 0.1, 0.6);
  const auto step = batched(value_and_gradient(price, wrt(spot, strike, time, rate, volatility)));
  auto r = step(spot = S, strike = K, time = T, rate = R, volatility = V);
  std::vector<by_hand::greeks> g(n);
  const auto ours = [&] { step(into(r), spot = S, strike = K, time = T, rate = R, volatility = V); };
  const auto hand = [&] { by_hand::black_scholes(S.data(), K.data(), T.data(), R.data(), V.data(), g.data(), n); };
  ours(), hand();
  double difference = 0;
  const auto meet = [&](double left, double right) {
    difference = std::max(difference, relative_difference(left, right));
  };
  for (std::size_t i = 0; i < n; ++i) {
    meet(r.value(i), g[i].price), meet(r.gradient[spot](i), g[i].delta), meet(r.gradient[strike](i), g[i].strike);
    meet(r.gradient[time](i), g[i].theta), meet(r.gradient[rate](i), g[i].rho);
    meet(r.gradient[volatility](i), g[i].vega);
  }
  compare("Black-Scholes, 5 Greeks", n, ours, hand, difference);
}

}  // namespace

int main() {
  std::printf("%-28s %8s %10s %10s %8s   %s\n", "value and gradients", "n", "us", "hand us", "ratio", "difference");
  for (const std::size_t n : {16u, 1000u, 100000u}) {
    logistic(n, 10);
    logistic(n, 100);
    normal(n);
    cross_entropy(n);
    if (n <= 1000) cross_entropy_rows(n, 10);
    if (n <= 1000) cross_entropy_rows(n, 100);
    tanh_exp(n);
    if (n <= 1000) mixture(n);
    black_scholes(n);
  }
  expectation_maximization(1000000);
  mixture_arrays(1000);
  perceptron_step();
  gated_unit_step();
}
