#pragma once

#include "../common/random.hpp"
#include "reprojection.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bundle_adjustment {

using Camera = std::array<double, 11>;
using Point = std::array<double, 3>;
using Pixel = std::array<double, 2>;

/// A point seen by a camera; the weight is one over the standard deviation of `seen`.
struct Observation {
  std::size_t camera;
  std::size_t point;
  double weight;
  Pixel seen;
};

struct Scene {
  std::vector<Camera> cameras;
  std::vector<Point> points;
  std::vector<Observation> observations;
};

struct SceneOptions {
  int cameras = 8;
  int points = 100;
  double noise = 0.5;  ///< pixels; half of the observations have three times as much
  int seed = 1;
};

/// Cameras on an arc around a cloud of points, of which each sees four in five, and where they saw them: observations
/// of the true scene with noise. The cameras and points returned are guesses that an adjustment starts from; the first
/// camera's rotation is guessed to be none at all.
inline Scene generate_scene(const SceneOptions& options) {
  example::Random random(static_cast<std::uint64_t>(options.seed));
  const auto normal = [&](double sd) { return random.normal(0, sd); };
  Scene truth;
  for (int i = 0; i < options.cameras; ++i) {
    const double angle = 2.0 * i / (options.cameras - 1);
    const double distance = 6 + normal(0.3);
    truth.cameras.push_back({normal(0.03), angle + normal(0.03), normal(0.03),  // the rotation, about a vertical axis
                             distance * std::sin(angle), normal(0.3), -distance * std::cos(angle),  // the centre
                             800 + normal(20), 320 + normal(5), 240 + normal(5), -0.2 + normal(0.02), 0.05});
  }
  for (int i = 0; i < options.points; ++i) {
    truth.points.push_back({normal(0.8), normal(0.6), normal(0.8)});
  }
  for (std::size_t c = 0; c < truth.cameras.size(); ++c) {
    for (std::size_t p = 0; p < truth.points.size(); ++p) {
      if ((c + p) % 5 == 0) {
        continue;
      }
      const double sd = options.noise * (p % 2 == 0 ? 1 : 3);
      const Pixel exact = reprojection(truth.cameras[c], truth.points[p], 1.0, Pixel{0, 0}).value;
      truth.observations.push_back({c, p, 1 / sd, {exact[0] + normal(sd), exact[1] + normal(sd)}});
    }
  }

  Scene guess = truth;
  for (Camera& camera : guess.cameras) {
    constexpr Camera sd{0.02, 0.02, 0.02, 0.1, 0.1, 0.1, 20, 5, 5, 0, 0};
    for (std::size_t i = 0; i < sd.size(); ++i) {
      camera[i] += normal(sd[i]);
    }
    camera[9] = camera[10] = 0;
  }
  guess.cameras[0][0] = guess.cameras[0][1] = guess.cameras[0][2] = 0;
  for (Point& point : guess.points) {
    for (double& coordinate : point) {
      coordinate += normal(0.1);
    }
  }
  return guess;
}

}  // namespace bundle_adjustment
