#pragma once

#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>

/// A vehicle on wheels, which measures its speed, its rate of turn, how far away two beacons are, and in which
/// direction it sees the first.
namespace emitted {

/// x, y and heading.
template <class T>
using State = std::array<T, 3>;
template <class T, std::size_t Rows, std::size_t Columns>
using Matrix = std::array<std::array<T, Columns>, Rows>;

struct Motion {
  template <class AnyState, class T>
  constexpr auto operator()(const AnyState& state, const T& speed, const T& turn, const T& dt) const {
    const auto middle = state[2] + 0.5 * turn * dt;
    return State<T>{state[0] + speed * dt * cos(middle), state[1] + speed * dt * sin(middle), state[2] + turn * dt};
  }
};

/// The distances of the beacons, at the origin and 10 m to the east, and the sine of the direction of the first, which
/// has no jump where the angle has one.
struct Sight {
  template <class AnyState>
  constexpr auto operator()(const AnyState& state) const {
    return std::array{hypot(state[0], state[1]), hypot(state[0] - 10, state[1]),
                      sin(atan2(-state[1], -state[0]) - state[2])};
  }
};

template <class T, std::size_t N, std::size_t M, std::size_t K>
constexpr Matrix<T, N, K> operator*(const Matrix<T, N, M>& a, const Matrix<T, M, K>& b) {
  Matrix<T, N, K> result{};
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t k = 0; k < K; ++k) {
      T sum = a[i][0] * b[0][k];
      for (std::size_t j = 1; j < M; ++j) sum = sum + a[i][j] * b[j][k];
      result[i][k] = sum;
    }
  return result;
}

/// The next estimate, of an extended Kalman filter: from the state and its covariance, what was measured, and the
/// standard deviations of the speed, of the rate of turn, of a distance and of a direction. What was sighted is taken
/// one number after another, so that no matrix is inverted.
struct Step {
  template <class AnyState, class Covariance, class T, class Sighting, class Noise>
  constexpr auto operator()(const AnyState& state, const Covariance& covariance, const T& speed, const T& turn,
                            const T& dt, const Sighting& sighted, const Noise& noise) const {
    const auto moved = tapeless::value_and_jacobian(Motion{}, tapeless::wrt<0, 1, 2>)(state, speed, turn, dt);
    State<T> mean = moved.value;
    Matrix<T, 3, 3> by_state{}, p{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) by_state[i][j] = moved.jacobian[i][j], p[i][j] = covariance[i][j];
    const Matrix<T, 3, 3> half = by_state * p;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        T sum = tapeless::square(noise[0]) * moved.jacobian[i][3] * moved.jacobian[j][3] +
                tapeless::square(noise[1]) * moved.jacobian[i][4] * moved.jacobian[j][4];
        for (std::size_t k = 0; k < 3; ++k) sum = sum + half[i][k] * by_state[j][k];
        p[i][j] = sum;
      }
    const auto seen = tapeless::value_and_jacobian(Sight{})(mean);
    const State<T> predicted = mean;
    for (std::size_t m = 0; m < 3; ++m) {
      const auto& h = seen.jacobian[m];
      T expected = seen.value[m];
      for (std::size_t i = 0; i < 3; ++i) expected = expected + h[i] * (mean[i] - predicted[i]);
      State<T> ph{};
      for (std::size_t i = 0; i < 3; ++i) ph[i] = p[i][0] * h[0] + p[i][1] * h[1] + p[i][2] * h[2];
      const T variance = h[0] * ph[0] + h[1] * ph[1] + h[2] * ph[2] + tapeless::square(noise[m < 2 ? 2 : 3]);
      const T weight = (sighted[m] - expected) / variance;
      for (std::size_t i = 0; i < 3; ++i) mean[i] = mean[i] + ph[i] * weight;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) p[i][j] = p[i][j] - ph[i] * ph[j] / variance;
    }
    return std::array<T, 12>{mean[0], mean[1], mean[2], p[0][0], p[0][1], p[0][2],
                             p[1][0], p[1][1], p[1][2], p[2][0], p[2][1], p[2][2]};
  }
};

}  // namespace emitted
