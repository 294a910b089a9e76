#pragma once

#include "../common/random.hpp"
#include "network.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace adversarial_training {

inline matrix moved(matrix points, const matrix& by) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    points.data()[i] += by.data()[i];
  }
  return points;
}

/// Where the last of `steps` steps of an attack looks for the way: at the points, or where the steps before led. Each
/// of these goes half way to where the attack as seen from the last one leads. Where they settle, a point was moved
/// along the gradient where it is now, as at the worst point of the ball.
inline matrix seen_from(const Parameters& p, const matrix& points, const vector& classes, double length, int steps) {
  matrix at = points;
  for (int step = 1; step < steps; ++step) {
    const matrix by = attacks(p, at, classes, length);
    for (std::size_t i = 0; i < at.size(); ++i) {
      at.data()[i] = (at.data()[i] + points.data()[i] + by.data()[i]) / 2;
    }
  }
  return at;
}

/// Back into the balls of a radius around the points, where beyond.
inline void project(matrix& at, const matrix& points, double length) {
  for (std::size_t n = 0; n < points.shape(0); ++n) {
    double square = 0;
    for (std::size_t i = 0; i < points.shape(1); ++i) {
      const double difference = at(n, i) - points(n, i);
      square += difference * difference;
    }
    if (square > length * length) {
      const double factor = length / std::sqrt(square);
      for (std::size_t i = 0; i < points.shape(1); ++i) {
        at(n, i) = points(n, i) + factor * (at(n, i) - points(n, i));
      }
    }
  }
}

/// Strikes out the points whose class the network gets wrong `at` the places given.
inline void strike_out(const Parameters& p, const matrix& at, const vector& classes, std::vector<bool>& withstood) {
  const vector f = logits(p, at);
  for (std::size_t n = 0; n < classes.size(); ++n) {
    if (!(classes[n] * f[n] > 0)) {
      withstood[n] = false;
    }
  }
}

inline double share(const std::vector<bool>& withstood) {
  std::size_t count = 0;
  for (const bool one : withstood) {
    count += one ? 1 : 0;
  }
  return static_cast<double>(count) / static_cast<double>(withstood.size());
}

struct PgdOptions {
  int steps = 20;
  int starts = 4;  ///< the first at the point, the others anywhere on the sphere around it
};

/// Accuracy where each point may be moved by as much as the strengths say, rising from 0: by projected gradient ascent
/// on the loss, from several starts; what an attack has broken stays broken for stronger ones.
inline std::vector<double> robust_accuracy(const Parameters& p, const matrix& points, const vector& classes,
                                           const std::vector<double>& strengths, const PgdOptions& options) {
  example::Random random(1);
  std::vector<bool> withstood(classes.size(), true);
  std::vector<double> result;
  for (const double strength : strengths) {
    strike_out(p, points, classes, withstood);
    for (int start = 0; start < options.starts && strength > 0; ++start) {
      matrix at = points;
      if (start > 0) {
        for (double& coordinate : at) {
          coordinate += random.normal(0, 100 * strength);
        }
        project(at, points, strength);
      }
      for (int step = 0; step < options.steps; ++step) {
        at = moved(at, attacks(p, at, classes, 2.5 * strength / options.steps));
        project(at, points, strength);
        strike_out(p, at, classes, withstood);
      }
    }
    result.push_back(share(withstood));
  }
  return result;
}

/// Which points of a plane keep their class wherever they are moved by at most the strength, from a grid on each disc:
/// no gradient can mislead it.
inline std::vector<bool> withstood_on_discs(const Parameters& p, const matrix& points, const vector& classes,
                                            double strength) {
  constexpr int angles = 90;
  constexpr int circles = 6;
  std::vector<bool> withstood(classes.size(), true);
  strike_out(p, points, classes, withstood);
  for (int circle = 1; circle <= circles; ++circle) {
    for (int angle = 0; angle < angles; ++angle) {
      matrix at = points;
      const double direction = 2 * std::numbers::pi * angle / angles;
      for (std::size_t n = 0; n < points.shape(0); ++n) {
        at(n, 0) += strength * circle / circles * std::cos(direction);
        at(n, 1) += strength * circle / circles * std::sin(direction);
      }
      strike_out(p, at, classes, withstood);
    }
  }
  return withstood;
}

}  // namespace adversarial_training
