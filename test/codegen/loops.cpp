// Value and gradients over tensors in loops by tapeless and by hand: loops.py compares their hot loops.
#include <tapeless/xtensor.hpp>

#include <cstddef>
#include <vector>

#include "../benchmark/hand_simd.hpp"
#include "../benchmark/heston.hpp"

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto mu = variable<"mu">;
constexpr auto sigma = variable<"sigma">;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;
constexpr auto c = variable<"c">;
constexpr auto X = variable<"X">;
constexpr auto w = variable<"w">;
constexpr auto t = variable<"t">;

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

constexpr auto z = (x - mu) / sigma;
constexpr auto normal =
    value_and_gradient(sum(-square(z) / 2_c - log(sigma) - 0.91893853320467274178), wrt(mu, sigma, x));
constexpr auto tanh_exp = value_and_gradient(sum(tanh(a * b + c) * exp(-b * b)), wrt(a, b, c));
constexpr auto logits = dot(X, w);
constexpr auto logistic = value_and_gradient(mean(softplus(logits) - t * logits), wrt(w));

constexpr auto greeks = batched(value_and_gradient(heston::payoff, wrt<0>));
// The numbers of a step lie side by side.
using steps_of_paths = xt::xtensor<double, 2, xt::layout_type::column_major>;

}  // namespace

using normal_result = decltype(normal(x = std::declval<const vector&>(), mu = 0.0, sigma = 1.0));
using tanh_exp_result = decltype(tanh_exp(a = std::declval<const vector&>(), b = std::declval<const vector&>(),
                                          c = std::declval<const vector&>()));
using logistic_result = decltype(logistic(X = std::declval<const matrix&>(), w = std::declval<const vector&>(),
                                          t = std::declval<const vector&>()));

using greeks_result = decltype(greeks(std::declval<const heston::model&>(), std::declval<const steps_of_paths&>(),
                                      std::declval<const steps_of_paths&>()));

extern "C" {

void tapeless_normal(normal_result& r, const vector& points, double mean, double deviation) {
  normal(into(r), x = points, mu = mean, sigma = deviation);
}
double by_hand_normal(const double* points, double mean, double deviation, double& gmu, double& gsigma,
                      double* gradient, std::size_t n) {
  return by_hand::normal(points, mean, deviation, gmu, gsigma, gradient, n);
}

void tapeless_tanh_exp(tanh_exp_result& r, const vector& av, const vector& bv, const vector& cv) {
  tanh_exp(into(r), a = av, b = bv, c = cv);
}
double by_hand_tanh_exp(const double* av, const double* bv, const double* cv, double* ga, double* gb, double* gc,
                        std::size_t n) {
  return by_hand::tanh_exp(av, bv, cv, ga, gb, gc, n);
}

void tapeless_logistic(logistic_result& r, const matrix& data, const vector& labels, const vector& weights) {
  logistic(into(r), X = data, t = labels, w = weights);
}
double by_hand_logistic(const double* data, const double* labels, const double* weights, double* gradient,
                        std::size_t n, std::size_t d, std::vector<double>& scratch) {
  return by_hand::logistic(data, labels, weights, gradient, n, d, scratch);
}

void tapeless_greeks(greeks_result& r, const heston::model& model, const steps_of_paths& first,
                     const steps_of_paths& second) {
  greeks(into(r), model, first, second);
}
}
