// tapeless over arrays. Results are kept between calls; arrays are copied to where the harness verifies them only then.
#include "../heston.hpp"
#include "problem.hpp"

#include <tapeless/xtensor.hpp>

#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <algorithm>
#include <array>
#include <span>

#include "formulas.hpp"

namespace peers {
namespace {

using namespace tapeless;

inline constexpr auto X = variable<"X">;
inline constexpr auto w = variable<"w">;
inline constexpr auto y = variable<"y">;
inline constexpr auto x = variable<"x">;
inline constexpr auto mu = variable<"mu">;
inline constexpr auto sigma = variable<"sigma">;
inline constexpr auto a = variable<"a">;
inline constexpr auto b = variable<"b">;
inline constexpr auto c = variable<"c">;

std::span<const double> numbers(const double* from, std::size_t count) { return {from, count}; }
template <class Tensor>
void copy(const Tensor& tensor, double* to) {
  std::copy_n(tensor.data(), tensor.size(), to);
}
auto matrix(const double* from, std::size_t rows, std::size_t columns) {
  return xt::adapt(from, rows * columns, xt::no_ownership(), std::array{rows, columns});
}

void logistic(const problem& p, const double* in, double* out) {
  static constexpr auto step = value_and_gradient(sum(log1p(exp(-y * dot(X, w)))), wrt(w));
  const auto data = matrix(p.data.data(), p.size, 10);
  static auto r = step(X = data, y = p.labels, w = numbers(in, 10));
  step(into(r), X = data, y = p.labels, w = numbers(in, 10));
  out[0] = r.value;
  copy(r.gradient[w], out + 1);
}

void normal_density(const problem& p, const double* in, double* out) {
  static const auto step = value_and_gradient(
      sum(-constant<1, 2> * square((x - mu) / sigma) - log(sigma) - 0.91893853320467274178), wrt(mu, sigma, x));
  static auto r = step(x = numbers(in + 2, p.size), mu = in[0], sigma = in[1]);
  step(into(r), x = numbers(in + 2, p.size), mu = in[0], sigma = in[1]);
  out[0] = r.value;
  out[1] = r.gradient[mu];
  out[2] = r.gradient[sigma];
  if (p.verifying) copy(r.gradient[x], out + 3);
}

void cross_entropy(const problem& p, const double* in, double* out) {
  static constexpr auto shifted = x - stop_gradient(amax(x));
  static constexpr auto step = value_and_gradient(log(sum(exp(shifted))) - sum(take(shifted, y)), wrt(x));
  const std::array<int, 1> label{static_cast<int>(p.label)};
  static auto r = step(x = numbers(in, p.size), y = label);
  step(into(r), x = numbers(in, p.size), y = label);
  out[0] = r.value;
  if (p.verifying) copy(r.gradient[x], out + 1);
}

void tanh_exp(const problem& p, const double* in, double* out) {
  static constexpr auto step = value_and_gradient(sum(tanh(a * b + c) * exp(-b * b)), wrt(a, b, c));
  const std::size_t n = p.size;
  static auto r = step(a = numbers(in, n), b = numbers(in + n, n), c = numbers(in + 2 * n, n));
  step(into(r), a = numbers(in, n), b = numbers(in + n, n), c = numbers(in + 2 * n, n));
  out[0] = r.value;
  if (!p.verifying) return;
  copy(r.gradient[a], out + 1);
  copy(r.gradient[b], out + 1 + n);
  copy(r.gradient[c], out + 1 + 2 * n);
}

/// A component of the mixture: logit, mean, and lower-triangular inverse square root of the covariance.
template <fixed_string L, fixed_string M, fixed_string N, fixed_string P, fixed_string Q, fixed_string R>
struct component {
  static constexpr auto logit = variable<L>;
  static constexpr auto m = variable<M>;
  static constexpr auto n = variable<N>;
  static constexpr auto p = variable<P>;
  static constexpr auto q = variable<Q>;
  static constexpr auto r = variable<R>;
  static constexpr auto log_density() {
    const auto c0 = x - m;
    const auto c1 = y - n;
    return logit + p + q - constant<1, 2> * (square(exp(p) * c0) + square(exp(q) * c1 + r * c0));
  }
  static constexpr auto prior() { return constant<1, 2> * (square(exp(p)) + square(exp(q)) + square(r)); }
};
inline constexpr auto count = variable<"count">;

template <class... Ks>
void mixture_of(const problem& p, const double* in, double* out) {
  static constexpr auto step =
      value_and_gradient(sum(logsumexp(Ks::log_density()...)) - count * logsumexp(Ks::logit...) + (... + Ks::prior()),
                         wrt(Ks::logit..., Ks::m..., Ks::n..., Ks::p..., Ks::q..., Ks::r...));
  const auto points = matrix(p.data.data(), p.size, 2);
  const auto bound = [&]<std::size_t... i>(auto call, std::index_sequence<i...>) {
    return call(x = xt::view(points, xt::all(), 0), y = xt::view(points, xt::all(), 1),
                count = static_cast<double>(p.size), (Ks::logit = in[i])..., (Ks::m = in[5 + 2 * i])...,
                (Ks::n = in[6 + 2 * i])..., (Ks::p = in[15 + 3 * i])..., (Ks::q = in[16 + 3 * i])...,
                (Ks::r = in[17 + 3 * i])...);
  };
  constexpr auto each = std::index_sequence_for<Ks...>{};
  static auto r = bound(step, each);
  bound([](const auto&... bindings) { step(into(r), bindings...); }, each);
  out[0] = r.value;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((out[1 + i] = r.gradient[Ks::logit], out[6 + 2 * i] = r.gradient[Ks::m], out[7 + 2 * i] = r.gradient[Ks::n],
      out[16 + 3 * i] = r.gradient[Ks::p], out[17 + 3 * i] = r.gradient[Ks::q], out[18 + 3 * i] = r.gradient[Ks::r]),
     ...);
  }(each);
}
constexpr auto gaussian_mixture =
    mixture_of<component<"l0", "m0", "n0", "p0", "q0", "r0">, component<"l1", "m1", "n1", "p1", "q1", "r1">,
               component<"l2", "m2", "n2", "p2", "q2", "r2">, component<"l3", "m3", "n3", "p3", "q3", "r3">,
               component<"l4", "m4", "n4", "p4", "q4", "r4">>;

void black_scholes_batch(const problem& p, const double* in, double* out) {
  static constexpr auto price = [](auto spot, auto strike, auto rate, auto volatility, auto time) {
    return black_scholes{}(std::array{spot, strike, rate, volatility, time});
  };
  static constexpr auto step = batched(value_and_gradient(price));
  const std::size_t n = p.size;
  const auto of = [&](std::size_t i) { return numbers(in + i * n, n); };
  static auto r = step(of(0), of(1), of(2), of(3), of(4));
  step(into(r), of(0), of(1), of(2), of(3), of(4));
  if (!p.verifying) return;
  copy(r.value, out);
  std::size_t at = n;
  std::apply([&](const auto&... partials) { ((copy(partials, out + at), at += n), ...); }, r.gradient);
}

template <class Matrix, class Vector>
struct weights {
  Matrix w1;
  Vector b1;
  Matrix w2;
  Vector b2;
};
constexpr auto perceptron_loss = [](const auto& parameters, const auto& rows, const auto& labels) {
  const auto& [w1, b1, w2, b2] = parameters;
  const auto z = dot(tanh(dot(rows, w1) + b1), w2) + b2;
  return mean(logsumexp<1>(z) - sum<1>(one_hot(labels, 10) * z));
};
void perceptron(const problem& p, const double* in, double* out) {
  using parameters = weights<xt::xtensor<double, 2>, xt::xtensor<double, 1>>;
  static constexpr auto step = value_and_gradient(perceptron_loss, wrt<0>);
  static parameters at{xt::xtensor<double, 2>::from_shape({16, 16}), xt::xtensor<double, 1>::from_shape({16}),
                       xt::xtensor<double, 2>::from_shape({16, 10}), xt::xtensor<double, 1>::from_shape({10})};
  const auto each = [](auto& of, auto use) { use(of.w1, 0), use(of.b1, 256), use(of.w2, 272), use(of.b2, 432); };
  each(at, [&](auto& part, int begin) { std::copy_n(in + begin, part.size(), part.data()); });
  static const std::vector<int> labels(p.labels.begin(), p.labels.end());
  const auto rows = matrix(p.data.data(), p.size, 16);
  static auto r = step(at, rows, labels);
  step(into(r), at, rows, labels);
  out[0] = r.value;
  each(r.gradient, [&](auto& part, int begin) { copy(part, out + 1 + begin); });
}

constexpr auto lorenz = [](const auto&, const auto& u, const auto& p) {
  return std::array{p[0] * (u[1] - u[0]), u[0] * (p[1] - u[2]) - u[1], u[0] * u[1] - p[2] * u[2]};
};
constexpr auto path = [](auto v, auto steps, auto end) {
  const auto u = odeint(lorenz, std::array{v[3], v[4], v[5]}, 0.0, end, steps, std::array{v[0], v[1], v[2]});
  return u[0] * u[0] + u[1] + u[2];
};
void runge_kutta(const problem&, const double* in, double* out) {
  static constexpr auto step = value_and_gradient(path, wrt<0>);
  std::array<double, 6> v;
  std::copy_n(in, 6, v.begin());
  static auto r = step(v, 200, 1.0);
  step(into(r), v, 200, 1.0);
  out[0] = r.value;
  copy(r.gradient, out + 1);
}

void heston_call(const problem& p, const double* in, double* out) {
  static constexpr auto step = batched(value_and_gradient(heston::payoff, wrt<0>));
  heston::model m;
  std::copy_n(in, 6, m.begin());
  const auto normals = [&](std::size_t begin) {  // those of a step lie side by side
    return xt::adapt<xt::layout_type::column_major>(p.data.data() + begin, p.size * heston::times, xt::no_ownership(),
                                                    std::array{p.size, heston::times});
  };
  const auto first = normals(0), second = normals(p.size * heston::times);
  static auto r = step(m, first, second);
  step(into(r), m, first, second);
  std::fill_n(out, 7, 0.0);
  for (std::size_t k = 0; k < p.size; ++k) {
    out[0] += r.value[k];
    for (std::size_t i = 0; i < 6; ++i) out[1 + i] += r.gradient[k][i];
  }
  for (std::size_t i = 0; i < 7; ++i) out[i] /= static_cast<double>(p.size);
}

template <bool stops>
struct temporal_differences {
  static constexpr auto network(const auto& v, const auto& state) {
    auto total = v[16] * tanh(v[12] + v[0] * state[0] + v[1] * state[1] + v[2] * state[2]);
    for (std::size_t j = 1; j < 4; ++j)
      total =
          total + v[16 + j] * tanh(v[12 + j] + v[3 * j] * state[0] + v[3 * j + 1] * state[1] + v[3 * j + 2] * state[2]);
    return total;
  }
  constexpr auto operator()(auto v, auto states, auto nexts, auto rewards) const {
    const auto add_error = [&](auto loss, auto state, auto next, auto reward) {
      const auto target = reward + 0.9 * network(v, next);
      if constexpr (stops)
        return loss + square(network(v, state) - stop_gradient(target));
      else
        return loss + square(network(v, state) - target);
    };
    return scan(add_error, 0.0, states, nexts, rewards);
  }
  static void evaluate(const problem& p, const double* in, double* out) {
    static constexpr auto step = value_and_gradient(temporal_differences{}, wrt<0>);
    std::array<double, 20> v;
    std::copy_n(in, 20, v.begin());
    const auto states = matrix(p.data.data(), p.size, 3), nexts = matrix(p.data.data() + 3 * p.size, p.size, 3);
    static auto r = step(v, states, nexts, p.labels);
    step(into(r), v, states, nexts, p.labels);
    out[0] = r.value;
    copy(r.gradient, out + 1);
  }
};

const add v1("V1", "tapeless", logistic), v2("V2", "tapeless", normal_density), v3("V3", "tapeless", cross_entropy),
    v4("V4", "tapeless", tanh_exp), v5("V5", "tapeless", gaussian_mixture), bs("BS", "tapeless", black_scholes_batch),
    nn("NN", "tapeless", perceptron), rk("RK", "tapeless", runge_kutta), he("HE", "tapeless", heston_call),
    td("TD", "tapeless", temporal_differences<false>::evaluate),
    ts("TS", "tapeless", temporal_differences<true>::evaluate);

}  // namespace
}  // namespace peers
