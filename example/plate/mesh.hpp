#pragma once

#include "../common/gnuplot.hpp"
#include "../common/lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace plate {

using Point = std::array<double, 2>;
using Triangle = std::array<int, 3>;

struct Mesh {
  std::vector<Point> points;
  std::vector<Triangle> triangles;  ///< counter-clockwise
};

/// Twice the area, positive where the corners are counter-clockwise.
inline double twice_area(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}

/// Reads a mesh in Gmsh's format 2.2, text: points in the plane z = 0 and triangles of three points. Elements of fewer
/// dimensions, points and lines, are passed over, and so are points that no triangle has.
inline Mesh read_mesh(const std::string& path) {
  example::Lines lines(path);
  std::map<int, Point> points;
  std::map<int, int> index;
  Mesh mesh;
  while (lines.next()) {
    const std::string section(lines.word(0));
    if (section == "$MeshFormat") {
      lines.require_next("the format");
      if (lines.word(0) != "2.2" || lines.integer(1) != 0) {
        lines.fail("not Gmsh's format 2.2 as text; export it with -format msh22");
      }
    } else if (section == "$Nodes") {
      lines.require_next("the number of points");
      for (int left = lines.integer(0); left > 0; --left) {
        lines.require_next("the last point");
        lines.require_size(4);
        if (lines.number(3) != 0) {
          lines.fail("a point outside the plane z = 0");
        }
        if (!points.emplace(lines.integer(0), Point{lines.number(1), lines.number(2)}).second) {
          lines.fail("point " + std::string(lines.word(0)) + " again");
        }
      }
    } else if (section == "$Elements") {
      lines.require_next("the number of elements");
      for (int left = lines.integer(0); left > 0; --left) {
        lines.require_next("the last element");
        const int type = lines.integer(1);
        constexpr int line = 1, triangle = 2, point = 15;
        if (type == line || type == point) {
          continue;
        }
        if (type != triangle) {
          lines.fail("an element of type " + std::to_string(type) + ", only triangles (2) are understood");
        }
        const auto first = static_cast<std::size_t>(3 + lines.integer(2));
        lines.require_size(first + 3);
        Triangle corners;
        for (std::size_t i = 0; i < 3; ++i) {
          const int name = lines.integer(first + i);
          const auto found = points.find(name);
          if (found == points.end()) {
            lines.fail("no point " + std::to_string(name));
          }
          const auto [at, is_new] = index.emplace(name, static_cast<int>(mesh.points.size()));
          if (is_new) {
            mesh.points.push_back(found->second);
          }
          corners[i] = at->second;
        }
        const auto corner = [&](std::size_t i) { return mesh.points[static_cast<std::size_t>(corners[i])]; };
        const double area = twice_area(corner(0), corner(1), corner(2));
        if (area == 0) {
          lines.fail("a triangle without area");
        }
        if (area < 0) {
          std::swap(corners[1], corners[2]);
        }
        mesh.triangles.push_back(corners);
      }
    }
  }
  if (mesh.triangles.empty()) {
    throw example::Error(path + ": no triangles");
  }
  return mesh;
}

/// A square plate of side 2 with a round hole of radius 0.4 in its middle: rings of points from the hole to the rim.
inline Mesh plate_with_hole(std::size_t rings) {
  const std::size_t around = 8 * rings;
  Mesh mesh;
  for (std::size_t ring = 0; ring <= rings; ++ring) {
    const double share = static_cast<double>(ring) / static_cast<double>(rings);
    for (std::size_t i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(around);
      const double c = std::cos(angle), s = std::sin(angle);
      const double rim = 1 / std::max(std::abs(c), std::abs(s));
      const double radius = 0.4 + share * share * (rim - 0.4);
      mesh.points.push_back({radius * c, radius * s});
    }
  }
  const auto at = [&](std::size_t ring, std::size_t i) { return static_cast<int>(ring * around + i % around); };
  for (std::size_t ring = 0; ring < rings; ++ring) {
    for (std::size_t i = 0; i < around; ++i) {
      mesh.triangles.push_back({at(ring, i), at(ring + 1, i), at(ring + 1, i + 1)});
      mesh.triangles.push_back({at(ring, i), at(ring + 1, i + 1), at(ring, i + 1)});
    }
  }
  return mesh;
}

/// The file that `read_mesh` reads.
inline std::string mesh_text(const Mesh& mesh) {
  using example::formatted;
  std::string text = formatted("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%zu\n", mesh.points.size());
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    // Without the negative zero, and the same whatever the last digit of a cosine.
    const auto rounded = [](double x) { return std::round(x * 1e9) / 1e9 + 0.0; };
    text += formatted("%zu %.9g %.9g 0\n", i + 1, rounded(mesh.points[i][0]), rounded(mesh.points[i][1]));
  }
  text += formatted("$EndNodes\n$Elements\n%zu\n", mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& [a, b, c] = mesh.triangles[i];
    text += formatted("%zu 2 0 %d %d %d\n", i + 1, a + 1, b + 1, c + 1);
  }
  return text + "$EndElements\n";
}

}  // namespace plate
