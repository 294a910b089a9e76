// Loops and batches, against the same loops by hand and their differences: what ./dev mutate runs.
#include <tapeless/xtensor.hpp>

#include "check.hpp"

#include <array>
#include <tuple>
#include <utility>

namespace {

using namespace tapeless;
using check::close;

using numbers = std::vector<double>;
const numbers inputs{0.3, -0.7, 1.2, 0.5, -0.1, 0.8, 0.05};

/// A pendulum with friction that a sequence drives, and a filter of its angle.
double swing_by_hand(const numbers& p, const numbers& forces) {
  double angle = p[0], speed = p[1], mean = 0;
  for (const double force : forces) {
    const double faster = speed + 0.1 * (force * p[2] - std::sin(angle) - p[3] * speed);
    const double moved = angle + 0.1 * faster;
    mean = angle > 0.2 ? 0.9 * mean + 0.1 * moved * moved : mean / (1 + p[3]);
    angle = moved, speed = faster;
  }
  return angle * speed + mean;
}

}  // namespace

int main() {
  constexpr auto swing = [](auto angle, auto speed, auto gain, auto friction, const auto& forces) {
    const auto step = [&](const auto& state, auto force) {
      const auto& [a, s, m] = state;
      const auto faster = s + 0.1 * (force * gain - sin(a) - friction * s), moved = a + 0.1 * faster;
      return std::tuple(moved, faster, where(a > 0.2, 0.9 * m + 0.1 * moved * moved, m / (1.0 + friction)));
    };
    const auto [a, s, m] = scan(step, std::tuple(angle, speed, 0.0), forces);
    return a * s + m;
  };
  const numbers p{0.25, -0.4, 1.7, 0.3};
  const auto step = value_and_gradient(swing);
  const auto r = step(p[0], p[1], p[2], p[3], inputs);
  close("scan", r.value, swing_by_hand(p, inputs));
  const auto& [by_angle, by_speed, by_gain, by_friction, by_forces] = r.gradient;
  const std::array<double, 4> slopes{by_angle, by_speed, by_gain, by_friction};
  check::slopes(
      "gradient of scan", [&](const numbers& q) { return swing_by_hand(q, inputs); }, p,
      [&](std::size_t i) { return slopes[i]; });
  check::slopes(
      "gradient by a sequence", [&](const numbers& f) { return swing_by_hand(p, f); }, inputs,
      [&](std::size_t i) { return by_forces[i]; });

  // Steps that are counted, numbers that are stacked, products with the Hessian.
  constexpr auto growth = [](auto rate, auto start, auto n) {
    return scan([&](auto c, auto k) { return c + 0.2 * rate * c * (1.0 - c) / (1.0 + 0.1 * k); }, start, steps(n));
  };
  const auto growth_by_hand = [](const numbers& q) {
    double c = q[1];
    for (int k = 0; k < 6; ++k) c += 0.2 * q[0] * c * (1 - c) / (1 + 0.1 * k);
    return c;
  };
  const auto g = value_and_gradient(growth, wrt<0, 1>)(0.8, 0.3, 6);
  close("steps", g.value, growth_by_hand({0.8, 0.3}));
  check::slopes("gradient of steps", growth_by_hand, {0.8, 0.3},
                [&](std::size_t i) { return i == 0 ? std::get<0>(g.gradient) : std::get<1>(g.gradient); });
  const auto by_rate = [&](const numbers& q) { return std::get<0>(gradient(growth, wrt<0, 1>)(q[0], q[1], 6)); };
  const auto h = hessian(growth, wrt<0, 1>)(0.8, 0.3, 6);
  check::slopes("Hessian of steps", by_rate, {0.8, 0.3}, [&](std::size_t i) { return h[0][i]; });

  // A sequence from one loop for the next, with few checkpoints.
  constexpr auto chained = [](auto w, const auto& xs) {
    const auto [last, states] = scan<checkpoints<2>>(
        [&](auto c, auto x) {
          const auto next = tanh(w * c + x);
          return std::pair{next, next * x};
        },
        0.2, xs);
    return last + scan([&](auto total, auto y) { return 0.9 * total + y * y * w; }, 0.0, states);
  };
  const auto chained_by_hand = [](const numbers& q, const numbers& xs) {
    double c = 0.2, total = 0;
    for (const double x : xs) c = std::tanh(q[0] * c + x), total = 0.9 * total + c * x * c * x * q[0];
    return c + total;
  };
  const auto k = value_and_gradient(chained)(0.6, inputs);
  const auto& [by_w, by_xs] = k.gradient;
  close("checkpoints", k.value, chained_by_hand({0.6}, inputs));
  check::slopes(
      "gradient with checkpoints", [&](const numbers& q) { return chained_by_hand(q, inputs); }, {0.6},
      [&](std::size_t) { return by_w; });
  check::slopes(
      "gradient of stacked numbers", [&](const numbers& f) { return chained_by_hand({0.6}, f); }, inputs,
      [&](std::size_t i) { return by_xs[i]; });

  // Functions that look alike, side by side: more numbers are captured than there are registers, four elements a step.
  constexpr auto alike = [](const auto& w, const auto& x0, const auto& x1, const auto& x2, const auto& x3) {
    const auto c = scan(
        [&](auto state, auto u0, auto u1, auto u2, auto u3) {
          const std::array u{u0, u1, u2, u3};
          for (std::size_t lane = 0; lane < 4; ++lane) {
            auto y = u[lane] * state[lane];
            for (std::size_t i = 0; i < 8; i += 2) y = tanh(w[4 * i + lane] * y + w[4 * i + 4 + lane]);
            state[lane] = y + w[32 + lane];
          }
          return state;
        },
        std::array{0.1, 0.2, 0.3, 0.4}, x0, x1, x2, x3);
    return c[0] + 2.0 * c[1] + 3.0 * c[2] + 4.0 * c[3];
  };
  std::array<double, 36> weights;
  for (std::size_t i = 0; i < 36; ++i) weights[i] = std::sin(static_cast<double>(i));
  const numbers in[]{{0.9, -0.7, 1.2}, {1.5, 0.1, -0.8}, {-0.2, 0.6, 0.4}, {1.1, -1.3, 0.3}};
  double total = 0;
  for (std::size_t lane = 0; lane < 4; ++lane) {
    double c = 0.1 * static_cast<double>(lane + 1);
    for (const double u : in[lane]) {
      c *= u;
      for (std::size_t i = 0; i < 8; i += 2) c = std::tanh(weights[4 * i + lane] * c + weights[4 * i + 4 + lane]);
      c += weights[32 + lane];
    }
    total += static_cast<double>(lane + 1) * c;
  }
  close("side by side", value(alike)(weights, in[0], in[1], in[2], in[3]), total);

  // Batches: of a function, of a formula, and of loops of unequal length.
  constexpr auto price = [](auto s, auto v) { return exp(-s * v) * s + where(s > v, sqrt(s), v * v); };
  const numbers first{0.5, 1.5, 0.2, 2.5, 0.9}, second{0.7, 0.4, 0.9, 1.1, 0.2};
  const auto b = batched(value_and_gradient(price))(first, second);
  const auto price_by_hand = [](const numbers& q) {
    return std::exp(-q[0] * q[1]) * q[0] + (q[0] > q[1] ? std::sqrt(q[0]) : q[1] * q[1]);
  };
  for (std::size_t i = 0; i < first.size(); ++i) {
    close("batch", b.value[i], price_by_hand({first[i], second[i]}));
    check::slopes("gradient of batch", price_by_hand, {first[i], second[i]},
                  [&](std::size_t k) { return k == 0 ? std::get<0>(b.gradient)[i] : std::get<1>(b.gradient)[i]; });
  }
  constexpr auto path = [](auto rate, auto n) {
    return scan([&](auto c, auto) { return c + 0.1 * sin(rate * c); }, 1.0, steps(n));
  };
  const std::vector<int> lengths{3, 0, 7, 1, 12};
  const auto u = batched(value_and_gradient(path, wrt<0>))(first, lengths);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto path_by_hand = [&](const numbers& q) {
      double c = 1;
      for (int k = 0; k < lengths[i]; ++k) c += 0.1 * std::sin(q[0] * c);
      return c;
    };
    close("batch of loops", u.value[i], path_by_hand({first[i]}));
    check::slopes("gradient of a batch of loops", path_by_hand, {first[i]}, [&](std::size_t) { return u.gradient[i]; });
  }
}
