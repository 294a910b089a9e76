// What runs on the small machines: state estimation, tuning, control, and a layer that learns on the device.
#ifndef TAPELESS_TEST_CORTEX_PROBLEMS_HPP
#define TAPELESS_TEST_CORTEX_PROBLEMS_HPP

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace cortex {

using namespace tapeless;

/// A step of a Kalman filter for a position and its speed. From the estimate, its covariance {p00, p01, p11}, the
/// variances of the acceleration and of the measurement, the measured position and the time: the next estimate and
/// covariance; and the negative log-likelihood of the measurement with its gradient with respect to the first three.
namespace kalman {
struct Prediction {
  template <class X, class P, class Q, class T>
  constexpr auto operator()(const X& x, const P& p, const Q& noise, const T& dt) const {
    const auto half = 0.5 * dt * dt;
    const auto p01 = p[1] + dt * p[2];
    return std::array{x[0] + dt * x[1], p[0] + dt * (p[1] + p01) + noise[0] * half * half, p01 + noise[0] * half * dt,
                      p[2] + noise[0] * dt * dt};
  }
};
struct Surprise {
  template <class X, class P, class Q, class T>
  constexpr auto operator()(const X& x, const P& p, const Q& noise, const T& z, const T& dt) const {
    const auto predicted = Prediction{}(x, p, noise, dt);
    const auto variance = predicted[1] + noise[1];
    return 0.5 * (log(variance) + square(z - predicted[0]) / variance);
  }
};
struct Step {
  template <class X, class P, class Q, class T>
  constexpr auto operator()(const X& x, const P& p, const Q& noise, const T& z, const T& dt) const {
    const auto [value, slopes] = value_and_gradient(Surprise{}, wrt<0, 1, 2>)(x, p, noise, z, dt);
    const auto& [by_x, by_p, by_noise] = slopes;
    const auto predicted = Prediction{}(x, p, noise, dt);
    const auto weight = 1.0 / (predicted[1] + noise[1]);
    const auto k0 = predicted[1] * weight, k1 = predicted[2] * weight;
    const auto error = z - predicted[0];
    return std::array{predicted[0] + k0 * error,
                      x[1] + k1 * error,
                      (1.0 - k0) * predicted[1],
                      (1.0 - k0) * predicted[2],
                      predicted[3] - k1 * predicted[2],
                      value,
                      by_x[0],
                      by_x[1],
                      by_p[0],
                      by_p[1],
                      by_p[2],
                      by_noise[0],
                      by_noise[1]};
  }
};
}  // namespace kalman

/// The cost of 50 steps of a PI controller, by its two gains: a mass that the air slows down follows a step of the
/// speed.
namespace pi {
inline constexpr double dt = 0.05, drag = 0.2, effort = 0.01;
/// The speed, the integral and the cost.
inline constexpr auto step = [](const auto& gains, const auto& c) {
  const auto error = 1.0 - c[0];
  const auto force = gains[0] * error + gains[1] * c[1];
  return std::array{c[0] + dt * (force - c[0] - drag * c[0] * c[0] * c[0]), c[1] + dt * error,
                    c[2] + (error * error + effort * force * force)};
};
inline constexpr auto unrolled = [](const auto& gains) {
  const auto zero = 0.0 * gains[0];
  std::array c{zero, zero, zero};
  for (int i = 0; i < 50; ++i) c = step(gains, c);
  return c[2];
};
template <class Memory>
inline constexpr auto loop = [](const auto& gains) {
  return scan<Memory>([&](const auto& c, auto) { return step(gains, c); }, std::array{0.0, 0.0, 0.0}, steps(50))[2];
};
}  // namespace pi

/// A step of model-predictive control of a pendulum over a horizon of 10 steps: one iteration of projected gradient
/// descent, from the torques to the next ones.
namespace mpc {
inline constexpr std::size_t horizon = 10;
inline constexpr double dt = 0.1, gravity = 9.81, friction = 0.1, rate = 0.05;
struct Cost {
  template <class U, class S>
  constexpr auto operator()(const U& torques, const S& start) const {
    auto angle = start[0], speed = start[1];
    auto cost = 0.0 * angle;
    for (const auto& u : torques) {
      const auto next = angle + dt * speed;
      speed = speed + dt * (u - gravity * sin(angle) - friction * speed);
      angle = next;
      cost = cost + (angle * angle + 0.1 * speed * speed + 0.01 * u * u);
    }
    return cost;
  }
};
struct Step {
  template <class U, class S>
  constexpr auto operator()(const U& torques, const S& start) const {
    const auto slopes = gradient(Cost{}, wrt<0>)(torques, start);
    U next = torques;
    for (std::size_t i = 0; i < horizon; ++i) next[i] = clamp(torques[i] - rate * slopes[i], -2, 2);
    return next;
  }
};
}  // namespace mpc

/// A step of gradient descent on the device: the second of two layers learns with weights as they will be in int8. The
/// first layer, in int8 already, is stopped.
namespace layer {
inline constexpr std::size_t inputs = 8, hidden = 8, outputs = 4;
template <class T>
using Weights = std::array<std::array<T, hidden>, outputs>;
template <class T>
using Biases = std::array<T, outputs>;
template <class T>
using First = std::array<std::array<T, inputs>, hidden>;
template <class T>
using Inputs = std::array<T, inputs>;
template <class T>
using Result = std::array<T, 1 + outputs * hidden + outputs>;
struct Slopes {
  float loss;
  Weights<float> by_weights;
  Biases<float> by_biases;
  First<float> by_first;
};
inline constexpr double weight_scale = 1.0 / 64, activation_scale = 1.0 / 32, rate = 0.05;
template <class T>
constexpr auto in_int8(const T& x, double scale) {
  return clamp(round(x * (1 / scale)), -127, 127) * scale;
}
template <bool Frozen>
struct Loss {
  template <class W, class B, class F, class X, class Y>
  constexpr auto operator()(const W& weights, const B& biases, const F& first, const X& x, const Y& target) const {
    using number = std::remove_cvref_t<decltype(x[0] * first[0][0])>;
    std::array<number, hidden> h{};
    for (std::size_t i = 0; i < hidden; ++i) {
      number sum = first[i][0] * x[0];
      for (std::size_t j = 1; j < inputs; ++j) sum = sum + first[i][j] * x[j];
      const number activation = max(sum * weight_scale, 0);
      if constexpr (Frozen)
        h[i] = stop_gradient(in_int8(activation, activation_scale));
      else
        h[i] = straight_through(in_int8(activation, activation_scale), activation);
    }
    std::array<number, outputs> logits{};
    number along = 0.0 * x[0];
    for (std::size_t k = 0; k < outputs; ++k) {
      logits[k] = biases[k];
      for (std::size_t i = 0; i < hidden; ++i)
        logits[k] = logits[k] + straight_through(in_int8(weights[k][i], weight_scale), weights[k][i]) * h[i];
      along = k == 0 ? target[k] * logits[k] : along + target[k] * logits[k];
    }
    return logsumexp(logits[0], logits[1], logits[2], logits[3]) - along;
  }
};
/// The loss, the next weights and the next biases.
struct Step {
  template <class W, class B, class F, class X, class Y>
  constexpr auto operator()(const W& weights, const B& biases, const F& first, const X& x, const Y& target) const {
    const auto [loss, slopes] = value_and_gradient(Loss<true>{}, wrt<0, 1>)(weights, biases, first, x, target);
    const auto& [by_weights, by_biases] = slopes;
    Result<std::remove_cvref_t<decltype(loss)>> all{loss};
    for (std::size_t k = 0; k < outputs; ++k) {
      for (std::size_t i = 0; i < hidden; ++i) all[1 + k * hidden + i] = weights[k][i] - rate * by_weights[k][i];
      all[1 + outputs * hidden + k] = biases[k] - rate * by_biases[k];
    }
    return all;
  }
};
}  // namespace layer

}  // namespace cortex

#endif
