#include "tool.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace gradbench {
namespace {

using Camera = std::array<double, 11>;  ///< rotation, centre, focal length, principal point, distortion
using Point = std::array<double, 3>;
using Feature = std::array<double, 2>;

constexpr auto reprojection = [](auto camera, auto point, auto weight, auto feature) {
  const std::array rotation{camera[0], camera[1], camera[2]};
  const std::array moved{point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]};
  const auto seen = tapeless::angle_axis_rotate_point(rotation, moved);
  const auto x = seen[0] / seen[2], y = seen[1] / seen[2];
  const auto square = x * x + y * y;
  const auto scale = camera[6] * (1.0 + camera[9] * square + camera[10] * square * square);
  return std::array{weight * (x * scale + camera[7] - feature[0]), weight * (y * scale + camera[8] - feature[1])};
};
constexpr auto weight_error = [](auto weight) { return 1.0 - weight * weight; };

/// One camera, point, weight and feature, many times.
struct Problem {
  std::vector<Camera> cameras;
  std::vector<Point> points;
  std::vector<double> weights;
  std::vector<Feature> features;
  std::vector<int> camera, point, weight;  // of an observation

  explicit Problem(const json& input)
      : cameras(input.at("n"), input.at("cam").get<Camera>()),
        points(input.at("m"), input.at("x").get<Point>()),
        weights(input.at("p"), input.at("w").get<double>()),
        features(input.at("p"), input.at("feat").get<Feature>()) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      camera.push_back(static_cast<int>(i % cameras.size()));
      point.push_back(static_cast<int>(i % points.size()));
      weight.push_back(static_cast<int>(i));
    }
  }
};

json objective(const json& input, Runs& runs) {
  const Problem p(input);
  std::vector<Feature> errors(p.weights.size());
  std::vector<double> weight_errors(p.weights.size());
  runs([&] {
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const auto c = static_cast<std::size_t>(p.camera[i]), x = static_cast<std::size_t>(p.point[i]);
      errors[i] = reprojection(p.cameras[c], p.points[x], p.weights[i], p.features[i]);
      weight_errors[i] = weight_error(p.weights[i]);
    }
  });
  return {{"reproj_error", {{"elements", errors.front()}, {"repeated", errors.size()}}},
          {"w_err", {{"element", weight_errors.front()}, {"repeated", weight_errors.size()}}}};
}

/// Of `a` and behind it `b`, to which `offset` is added, the first 30 numbers and the last one.
json ends(const auto& a, const auto& b, auto offset) {
  json some = json::array();
  for (std::size_t i = 0; i < std::min<std::size_t>(30, a.size() + b.size()); ++i)
    some.push_back(i < a.size() ? json(a[i]) : json(b[i - a.size()] + offset));
  some.push_back(b.back() + offset);
  return some;
}

// The rows of the reprojections, and below them those of the weights.
json jacobian(const json& input, Runs& runs) {
  const Problem p(input);
  const auto cameras = tapeless::nodes_of(p.cameras, p.camera);
  const auto points = tapeless::nodes_of(p.points, p.point);
  const auto weights = tapeless::nodes_of(p.weights, p.weight);
  const auto upper_verb = tapeless::assemble(tapeless::jacobian(reprojection));
  const auto lower_verb = tapeless::assemble(tapeless::jacobian(weight_error));
  auto upper = upper_verb(cameras, points, weights, p.features);
  auto lower = lower_verb(weights);
  runs([&] {
    upper_verb(into(upper), cameras, points, weights, p.features);
    lower_verb(into(lower), weights);
  });
  const auto &a = upper.jacobian, &b = lower.jacobian;
  const auto before = static_cast<int>(11 * p.cameras.size() + 3 * p.points.size());
  return {{"vals", ends(a.values, b.values, 0.0)},
          {"rows", ends(a.row_begin, std::vector(b.row_begin.begin() + 1, b.row_begin.end()), a.row_begin.back())},
          {"cols", ends(a.columns, b.columns, before)}};
}

}  // namespace

const Module ba{{"objective", objective}, {"jacobian", jacobian}};

}  // namespace gradbench
