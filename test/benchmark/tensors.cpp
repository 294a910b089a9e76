// Value and gradients over tensors next to hand-written SIMD loops: both in one process, measured alternately; the
// ratio of the fastest runs. Prints a table; nothing depends on it.
#include "hand_simd.hpp"

#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

namespace {

using namespace tapeless;
inline constexpr auto X = variable<"X">;
inline constexpr auto w = variable<"w">;
inline constexpr auto t = variable<"t">;
inline constexpr auto x = variable<"x">;
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

/// Seconds of a call: the fastest of many samples, each long enough for the clock.
template <class F, class G>
void compare(const char* name, std::size_t n, F ours, G hand, double difference) {
  using clock = std::chrono::steady_clock;
  const auto time = [](auto& f, int repeat) {
    const auto begin = clock::now();
    for (int i = 0; i < repeat; ++i) f();
    return std::chrono::duration<double>(clock::now() - begin).count() / repeat;
  };
  ours(), hand();
  const int repeat = static_cast<int>(std::clamp(2e-4 / time(hand, 10), 1.0, 1e5));
  double best_ours = 1e9, best_hand = 1e9;
  for (int sample = 0; sample < 150; ++sample) {
    best_ours = std::min(best_ours, time(ours, repeat));
    best_hand = std::min(best_hand, time(hand, repeat));
  }
  std::printf("%-28s %8zu %10.3f %10.3f %8.3f   %.1e\n", name, n, 1e6 * best_ours, 1e6 * best_hand,
              best_ours / best_hand, difference);
}

template <class A, class B>
double largest_difference(const A& left, const B& right) {
  double result = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    result = std::max(result, std::abs(left.data()[i] - right.data()[i]) / (1 + std::abs(right.data()[i])));
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
  const auto hand = [&] {
    by_hand::logistic(data.data(), labels.data(), weights.data(), gradient.data(), n, d, scratch);
  };
  ours(), hand();
  compare(d == 10 ? "logistic, n x 10" : "logistic, n x 100", n, ours, hand,
          largest_difference(r.gradient[w], gradient));
}

void normal(std::size_t n) {
  const vector points = random_vector(n);
  vector gradient = points;
  double gmu = 0, gsigma = 0;
  const auto z = (x - mu) / sigma;
  const auto step = value_and_gradient(sum(-0.5 * square(z) - log(sigma) - 0.91893853320467274178), wrt(mu, sigma, x));
  auto r = step(x = points, mu = 0.1, sigma = 1.5);
  const auto ours = [&] { step(into(r), x = points, mu = 0.1, sigma = 1.5); };
  const auto hand = [&] { by_hand::normal(points.data(), 0.1, 1.5, gmu, gsigma, gradient.data(), n); };
  ours(), hand();
  compare("normal log density", n, ours, hand,
          largest_difference(r.gradient[x], gradient) + std::abs(r.gradient[mu] / gmu - 1) +
              std::abs(r.gradient[sigma] / gsigma - 1));
}

void cross_entropy(std::size_t n) {
  const vector logits = random_vector(n, -3, 3), target = random_vector(n, 0, 1);
  vector gradient = logits;
  const auto shifted = x - stop_gradient(amax(x));
  const auto step = value_and_gradient(-sum(t * (shifted - log(sum(exp(shifted))))), wrt(x));
  auto r = step(x = logits, t = target);
  const auto ours = [&] { step(into(r), x = logits, t = target); };
  const auto hand = [&] { by_hand::cross_entropy(logits.data(), target.data(), gradient.data(), n); };
  ours(), hand();
  compare("softmax cross-entropy, n", n, ours, hand, largest_difference(r.gradient[x], gradient));
}

void cross_entropy_rows(std::size_t rows, std::size_t classes) {
  matrix logits = matrix::from_shape({rows, classes}), target = logits, gradient = logits;
  randomise(logits, -3, 3);
  randomise(target, 0, 1);
  const auto step = value_and_gradient(-sum(t * log_softmax<1>(x)), wrt(x));
  auto r = step(x = logits, t = target);
  const auto ours = [&] { step(into(r), x = logits, t = target); };
  const auto hand = [&] {
    for (std::size_t i = 0; i < rows; ++i)
      by_hand::cross_entropy(&logits(i, 0), &target(i, 0), &gradient(i, 0), classes);
  };
  ours(), hand();
  compare(classes == 10 ? "softmax, rows x 10" : "softmax, rows x 100", rows, ours, hand,
          largest_difference(r.gradient[x], gradient));
}

void tanh_exp(std::size_t n) {
  const vector av = random_vector(n), bv = random_vector(n), cv = random_vector(n);
  vector ga = av, gb = av, gc = av;
  const auto step = value_and_gradient(sum(tanh(a * b + c) * exp(-b * b)), wrt(a, b, c));
  auto r = step(a = av, b = bv, c = cv);
  const auto ours = [&] { step(into(r), a = av, b = bv, c = cv); };
  const auto hand = [&] { by_hand::tanh_exp(av.data(), bv.data(), cv.data(), ga.data(), gb.data(), gc.data(), n); };
  ours(), hand();
  compare("tanh(a b + c) exp(-b b)", n, ours, hand,
          largest_difference(r.gradient[a], ga) + largest_difference(r.gradient[b], gb) +
              largest_difference(r.gradient[c], gc));
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
  }
}
