// Two problems of GradBench (github.com/gradbench/gradbench), from their definitions: `ode` is cmpad's chain of
// equations by Runge-Kutta steps, `lstm` ADBench's recurrent network whose gates are elementwise. Next to each an
// adjoint by hand.
#include "compare.hpp"
#include "scan_problems.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

// y_0' = x_0, y_i' = x_i y_(i-1), from 0; y_(n-1) at 2. The solution is the product of the x times 2^n / n!.
constexpr std::size_t equations = 10;
using vector = std::array<double, equations>;

constexpr auto chain = [](const auto&, const auto& y, const auto& x) {
  auto slope = y;
  slope[0] = x[0];
  for (std::size_t i = 1; i < equations; ++i) slope[i] = x[i] * y[i - 1];
  return slope;
};
constexpr auto last_of_chain = [](auto x, auto n) {
  return tapeless::odeint(chain, decltype(x){}, 0.0, 2.0, n, x)[equations - 1];
};

struct by_hand {
  double value;
  vector gradient;
};
by_hand ode(const vector& x, int n, std::vector<std::array<vector, 4>>& stages) {
  const double h = 2.0 / n;
  const auto moved = [](const vector& y, double by, const vector& k) {
    vector result;
    for (std::size_t i = 0; i < equations; ++i) result[i] = y[i] + by * k[i];
    return result;
  };
  const auto slope = [&](const vector& y) {
    vector k;
    k[0] = x[0];
    for (std::size_t i = 1; i < equations; ++i) k[i] = x[i] * y[i - 1];
    return k;
  };
  stages.resize(static_cast<std::size_t>(n));
  vector y{};
  for (auto& at : stages) {
    at[0] = y;
    const vector k1 = slope(at[0]);
    at[1] = moved(y, h / 2, k1);
    const vector k2 = slope(at[1]);
    at[2] = moved(y, h / 2, k2);
    const vector k3 = slope(at[2]);
    at[3] = moved(y, h, k3);
    const vector k4 = slope(at[3]);
    for (std::size_t i = 0; i < equations; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  by_hand result{y[equations - 1], {}};
  vector by_y{};
  by_y[equations - 1] = 1;
  // Adds x' of a slope with the adjoint `k`, and gives y'.
  const auto pull = [&](const vector& at, const vector& k) {
    vector by_at;
    result.gradient[0] += k[0];
    for (std::size_t i = 1; i < equations; ++i) result.gradient[i] += at[i - 1] * k[i], by_at[i - 1] = x[i] * k[i];
    by_at[equations - 1] = 0;
    return by_at;
  };
  const auto times = [](double a, const vector& v) {
    vector scaled;
    for (std::size_t i = 0; i < equations; ++i) scaled[i] = a * v[i];
    return scaled;
  };
  for (std::size_t s = stages.size(); s-- > 0;) {
    const auto& at = stages[s];
    const vector fourth = pull(at[3], times(h / 6, by_y));
    const vector third = pull(at[2], moved(times(h / 3, by_y), h, fourth));
    const vector second = pull(at[1], moved(times(h / 3, by_y), h / 2, third));
    const vector first = pull(at[0], moved(times(h / 6, by_y), h / 2, second));
    for (std::size_t i = 0; i < equations; ++i) by_y[i] += first[i] + second[i] + third[i] + fourth[i];
  }
  return result;
}

// ADBench's network: two layers of 14 cells, a character of 14 bits a step.
constexpr std::size_t bits = 14, layers = 2;
template <class T>
using row = std::array<T, bits>;
/// Of a layer the weights and biases of the forget, input and output gates and of the change.
template <class T>
using layer_parameters = std::array<row<T>, 8>;
struct parameters {
  std::array<layer_parameters<double>, layers> layer;
  std::array<row<double>, 3> ends;
};

constexpr auto loss = [](auto layer, auto ends, auto first, auto characters) {
  using T = std::remove_cvref_t<decltype(ends[0][0])>;
  std::array<std::array<row<T>, 2>, layers> zero{};
  for (auto& each : zero)
    for (auto& values : each) values.fill(T(0));
  const auto last = tapeless::scan(
      [&](const auto& carry, const auto& target) {
        auto [state, input, total] = carry;
        row<T> x;
        for (std::size_t i = 0; i < bits; ++i) x[i] = input[i] * ends[0][i];
        for (std::size_t l = 0; l < layers; ++l)
          for (std::size_t i = 0; i < bits; ++i) {
            auto& [hidden, cell] = state[l];
            const auto& p = layer[l];
            const T forget = sigmoid(x[i] * p[0][i] + p[4][i]), in = sigmoid(hidden[i] * p[1][i] + p[5][i]);
            const T out = sigmoid(x[i] * p[2][i] + p[6][i]), change = tanh(hidden[i] * p[3][i] + p[7][i]);
            cell[i] = cell[i] * forget + in * change;
            x[i] = hidden[i] = out * tanh(cell[i]);
          }
        T sum = 2.0, score = 0.0, count = 0.0;
        for (std::size_t i = 0; i < bits; ++i) {
          const T y = x[i] * ends[1][i] + ends[2][i];
          sum += exp(y), score += target[i] * y, count += target[i];
        }
        return std::tuple(state, target, T(total + score - count * log(sum)));
      },
      std::tuple(zero, first, T(0.0)), characters);
  return -std::get<2>(last);
};

struct network_by_hand {
  double value;
  parameters gradient;
};
struct cells {
  row<double> hidden, cell, x, forget, in, out, change, squashed;
};
network_by_hand network(const parameters& p, const row<double>& first, const std::vector<row<double>>& characters,
                        std::vector<std::array<cells, layers>>& tape) {
  const auto logistic = [](double z) { return 1 / (1 + std::exp(-z)); };
  tape.resize(characters.size());
  std::array<std::array<row<double>, 2>, layers> state{};
  std::vector<row<double>> probabilities(characters.size()), tops(characters.size());
  network_by_hand r{};
  const row<double>* input = &first;
  for (std::size_t t = 0; t < characters.size(); ++t) {
    row<double> x;
    for (std::size_t i = 0; i < bits; ++i) x[i] = (*input)[i] * p.ends[0][i];
    for (std::size_t l = 0; l < layers; ++l) {
      cells& c = tape[t][l];
      c.hidden = state[l][0], c.cell = state[l][1], c.x = x;
      for (std::size_t i = 0; i < bits; ++i) {
        const auto& w = p.layer[l];
        c.forget[i] = logistic(x[i] * w[0][i] + w[4][i]), c.in[i] = logistic(c.hidden[i] * w[1][i] + w[5][i]);
        c.out[i] = logistic(x[i] * w[2][i] + w[6][i]), c.change[i] = std::tanh(c.hidden[i] * w[3][i] + w[7][i]);
        state[l][1][i] = c.cell[i] * c.forget[i] + c.in[i] * c.change[i];
        c.squashed[i] = std::tanh(state[l][1][i]);
        x[i] = state[l][0][i] = c.out[i] * c.squashed[i];
      }
    }
    tops[t] = x;
    double sum = 2, score = 0, count = 0;
    for (std::size_t i = 0; i < bits; ++i) {
      const double y = x[i] * p.ends[1][i] + p.ends[2][i];
      sum += probabilities[t][i] = std::exp(y), score += characters[t][i] * y, count += characters[t][i];
    }
    for (double& each : probabilities[t]) each *= count / sum;
    r.value -= score - count * std::log(sum);
    input = &characters[t];
  }
  std::array<std::array<row<double>, 2>, layers> by_state{};
  for (std::size_t t = characters.size(); t-- > 0;) {
    row<double> by_x;
    for (std::size_t i = 0; i < bits; ++i) {
      const double by_y = probabilities[t][i] - characters[t][i];
      r.gradient.ends[1][i] += by_y * tops[t][i], r.gradient.ends[2][i] += by_y;
      by_x[i] = by_y * p.ends[1][i];
    }
    for (std::size_t l = layers; l-- > 0;) {
      const cells& c = tape[t][l];
      const auto& w = p.layer[l];
      auto& g = r.gradient.layer[l];
      for (std::size_t i = 0; i < bits; ++i) {
        const double by_hidden = by_state[l][0][i] + by_x[i];
        const double by_out = by_hidden * c.squashed[i] * c.out[i] * (1 - c.out[i]);
        const double by_cell = by_state[l][1][i] + by_hidden * c.out[i] * (1 - c.squashed[i] * c.squashed[i]);
        const double by_forget = by_cell * c.cell[i] * c.forget[i] * (1 - c.forget[i]);
        const double by_in = by_cell * c.change[i] * c.in[i] * (1 - c.in[i]);
        const double by_change = by_cell * c.in[i] * (1 - c.change[i] * c.change[i]);
        g[0][i] += by_forget * c.x[i], g[4][i] += by_forget, g[1][i] += by_in * c.hidden[i], g[5][i] += by_in;
        g[2][i] += by_out * c.x[i], g[6][i] += by_out, g[3][i] += by_change * c.hidden[i], g[7][i] += by_change;
        by_x[i] = by_forget * w[0][i] + by_out * w[2][i];
        by_state[l][0][i] = by_in * w[1][i] + by_change * w[3][i], by_state[l][1][i] = by_cell * c.forget[i];
      }
    }
    const row<double>& before = t > 0 ? characters[t - 1] : first;
    for (std::size_t i = 0; i < bits; ++i) r.gradient.ends[0][i] += by_x[i] * before[i];
  }
  return r;
}

}  // namespace

double time_ode() {
  vector x;
  for (std::size_t i = 0; i < equations; ++i) x[i] = 1 + 0.1 * static_cast<double>(i);
  const auto step = tapeless::value_and_gradient(last_of_chain, tapeless::wrt<0>);
  std::vector<std::array<vector, 4>> stages;
  const int n = 1000;
  auto r = step(x, n);
  const by_hand hand = ode(x, n, stages);
  double exact = 1;
  for (std::size_t i = 0; i < equations; ++i) exact *= 2 * x[i] / static_cast<double>(i + 1);
  check_equal(std::array{r.value, exact / x[3]}, std::array{exact, r.gradient[3]});
  check_equal(r.gradient, hand.gradient);
  double sink = 0;
  compare(
      "GradBench ode, 10 equations, and by hand", n, 501, [&] { step(into(r), x, n); },
      [&] { sink += ode(x, n, stages).gradient[0]; });
  return sink + r.value;
}

double time_lstm() {
  parameters p;
  double next = 0;
  const auto draw = [&] { return std::sin(next += 1.7); };
  for (auto& layer : p.layer)
    for (auto& values : layer)
      for (double& each : values) each = draw();
  for (auto& values : p.ends)
    for (double& each : values) each = draw();
  row<double> first{};
  std::vector<row<double>> characters(1024);
  for (auto& each : characters)
    for (double& bit : each) bit = draw() > 0 ? 1.0 : 0.0;
  const auto step = tapeless::value_and_gradient(loss, tapeless::wrt<0, 1>);
  std::vector<std::array<cells, layers>> tape;
  auto r = step(p.layer, p.ends, first, characters);
  const network_by_hand hand = network(p, first, characters, tape);
  check_equal(std::array{r.value}, std::array{hand.value});
  for (std::size_t i = 0; i < 8; ++i) check_equal(std::get<0>(r.gradient)[1][i], hand.gradient.layer[1][i]);
  for (std::size_t i = 0; i < 3; ++i) check_equal(std::get<1>(r.gradient)[i], hand.gradient.ends[i]);
  double sink = 0;
  compare(
      "GradBench lstm, 2 layers of 14, and by hand", 1024, 101,
      [&] { step(into(r), p.layer, p.ends, first, characters); },
      [&] { sink += network(p, first, characters, tape).value; });
  return sink + r.value;
}
