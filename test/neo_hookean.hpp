#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

/// An elastic sheet of four-node elements, for tests and benchmarks of sums over elements.
namespace tapeless_test {

using Point = std::array<double, 2>;
using Quadrilateral = std::array<int, 4>;
using Slopes = std::array<Point, 4>;

/// The energy of a neo-Hookean material in a four-node element with one point of integration.
inline constexpr auto energy = [](auto a, auto b, auto c, auto d, auto slopes, auto area) {
  std::array<std::array<decltype(area), 2>, 2> f;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      f[i][j] = a[i] * slopes[0][j] + b[i] * slopes[1][j] + c[i] * slopes[2][j] + d[i] * slopes[3][j];
  const auto volume = log(det(f));
  return area * (dot(f[0], f[0]) + dot(f[1], f[1]) - 2 - 2 * volume + 1.5 * volume * volume) / 2;
};

/// A deformed sheet of n x n elements.
struct sheet {
  std::vector<Point> points;
  std::vector<Quadrilateral> elements;
  std::vector<Slopes> slopes;
  std::vector<double> areas;

  explicit sheet(int n) {
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) points.push_back({j + 0.1 * std::sin(i + 2.0 * j), i + 0.1 * std::cos(3.0 * i - j)});
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int first = i * (n + 1) + j;
        elements.push_back({first, first + 1, first + n + 2, first + n + 1});
        slopes.push_back({Point{-0.5, -0.5}, Point{0.5, -0.5}, Point{0.5, 0.5}, Point{-0.5, 0.5}});
        areas.push_back(1 + 0.25 * j);
      }
  }
};

}  // namespace tapeless_test
