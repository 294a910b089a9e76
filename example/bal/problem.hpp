#pragma once

#include "../common/csv.hpp"
#include "../common/error.hpp"
#include "../common/random.hpp"
#include "reprojection.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

/// Bundle adjustment in the large: https://grail.cs.washington.edu/projects/bal
namespace bal {

struct Observation {
  std::size_t camera;
  std::size_t point;
  Pixel seen;
};

struct Problem {
  std::vector<Camera> cameras;
  std::vector<Point> points;
  std::vector<Observation> observations;
};

/// Reads a problem: the numbers of cameras, points and observations, the observations (camera, point, x, y), then the
/// cameras and the points.
inline Problem read(const std::string& path) {
  std::istringstream file(example::read_file(path));
  const auto number = [&](const char* what, std::size_t index) {
    double result = 0;
    if (!(file >> result) || !std::isfinite(result)) {
      throw example::Error(example::printable(path) + ": no number for " + what + " " + std::to_string(index));
    }
    return result;
  };
  const auto integer = [&](const char* what, std::size_t index, std::size_t limit) {
    const double result = number(what, index);
    if (!(result >= 0 && result < static_cast<double>(limit)) || result != std::floor(result)) {
      throw example::Error(example::printable(path) + ": " + what + " " + std::to_string(index) + " is out of range");
    }
    return static_cast<std::size_t>(result);
  };
  constexpr std::size_t most = 100'000'000;
  Problem problem;
  const std::size_t cameras = integer("count", 0, most);
  const std::size_t points = integer("count", 1, most);
  const std::size_t observations = integer("count", 2, most);
  for (std::size_t i = 0; i < observations; ++i) {
    const std::size_t camera = integer("the camera of observation", i, cameras);
    const std::size_t point = integer("the point of observation", i, points);
    const double x = number("observation", i);
    problem.observations.push_back({camera, point, {x, number("observation", i)}});
  }
  for (std::size_t i = 0; i < cameras; ++i) {
    for (double& entry : problem.cameras.emplace_back()) {
      entry = number("camera", i);
    }
  }
  for (std::size_t i = 0; i < points; ++i) {
    for (double& entry : problem.points.emplace_back()) {
      entry = number("point", i);
    }
  }
  return problem;
}

inline void write(const Problem& problem, const std::string& path) {
  std::ofstream file(path);
  file.precision(std::numeric_limits<double>::max_digits10);
  file << problem.cameras.size() << ' ' << problem.points.size() << ' ' << problem.observations.size() << '\n';
  for (const auto& [camera, point, seen] : problem.observations) {
    file << camera << ' ' << point << ' ' << seen[0] << ' ' << seen[1] << '\n';
  }
  for (const Camera& camera : problem.cameras) {
    for (const double entry : camera) {
      file << entry << '\n';
    }
  }
  for (const Point& point : problem.points) {
    for (const double entry : point) {
      file << entry << '\n';
    }
  }
  if (!file.flush()) {
    throw example::Error("cannot write " + example::printable(path));
  }
}

/// Cameras around a cloud of points, each of which `views` neighbouring cameras see, or all where there are fewer, with
/// noise of half a pixel; then guesses of both.
inline Problem generate(std::size_t cameras, std::size_t points, std::size_t views, std::uint32_t seed) {
  example::Random random(seed);
  const auto normal = [&](double sd) { return random.normal(0, sd); };
  Problem problem;
  for (std::size_t i = 0; i < cameras; ++i) {
    const double turn = 1.2 * (static_cast<double>(i) / static_cast<double>(cameras) - 0.5);
    problem.cameras.push_back({normal(0.05), turn, normal(0.05), normal(0.2), normal(0.2), -8 + normal(0.3),
                               500 + normal(5), -0.05 + normal(0.005), 0.01});
  }
  for (std::size_t i = 0; i < points; ++i) {
    problem.points.push_back({normal(1), normal(1), normal(1)});
  }
  for (std::size_t camera = 0; camera < cameras; ++camera) {
    for (std::size_t point = 0; point < points; ++point) {
      if ((camera + point) % cameras >= views) {
        continue;
      }
      const Pixel exact = Reprojection{}(problem.cameras[camera], problem.points[point], Pixel{});
      problem.observations.push_back({camera, point, {exact[0] + normal(0.5), exact[1] + normal(0.5)}});
    }
  }
  for (Camera& camera : problem.cameras) {
    for (std::size_t i = 0; i < 6; ++i) {
      camera[i] += normal(0.02);
    }
  }
  for (Point& point : problem.points) {
    for (double& entry : point) {
      entry += normal(0.1);
    }
  }
  return problem;
}

}  // namespace bal
