#pragma once

#include "../common/error.hpp"
#include "mesh.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/eigen.hpp>

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace plate {

/// Lamé's constants.
struct Material {
  double lambda;
  double mu;
};

/// A triangle before it is deformed: the inverse of the matrix whose columns are two of its edges, and its area.
struct Reference {
  std::array<std::array<double, 2>, 2> inverse;
  double area;
};

/// The elastic energy of a triangle with corners at a, b and c, of a compressible neo-Hookean material in plane strain:
/// with the deformation gradient F and J = det F
///   area (mu / 2 (tr F'F - 2 - 2 log J) + lambda / 2 (log J)^2),
/// NaN where the triangle is turned inside out. (Bonet and Wood, Nonlinear Continuum Mechanics, section 6.4.3.)
struct Energy {
  template <class P, class R, class M>
  constexpr auto operator()(const P& a, const P& b, const P& c, const R& reference, const M& material) const {
    using T = typename P::value_type;
    const auto& [inverse, area] = reference;
    const auto& [lambda, mu] = material;
    const std::array<std::array<T, 2>, 2> edges{std::array<T, 2>{b[0] - a[0], c[0] - a[0]},
                                                std::array<T, 2>{b[1] - a[1], c[1] - a[1]}};
    const auto f = matmul(edges, inverse);
    const T log_j = log(det(f));
    const T squares = f[0][0] * f[0][0] + f[0][1] * f[0][1] + f[1][0] * f[1][0] + f[1][1] * f[1][1];
    return area * (mu / 2 * (squares - 2 - 2 * log_j) + lambda / 2 * log_j * log_j);
  }
};

inline std::vector<Reference> references(const Mesh& mesh) {
  std::vector<Reference> result;
  for (const Triangle& corners : mesh.triangles) {
    const auto corner = [&](std::size_t i) { return mesh.points[static_cast<std::size_t>(corners[i])]; };
    const auto [a, b, c] = std::array{corner(0), corner(1), corner(2)};
    const std::array<std::array<double, 2>, 2> edges{{{b[0] - a[0], c[0] - a[0]}, {b[1] - a[1], c[1] - a[1]}}};
    result.push_back({tapeless::inverse(edges), twice_area(a, b, c) / 2});
  }
  return result;
}

/// How the left and right end of the plate are held.
enum class Grips {
  clamped,  ///< they do not change
  sliding   ///< they stay straight, but may become shorter
};

struct Deformation {
  std::vector<Point> points;
  std::vector<double> energies;  ///< at the start and after each iteration
  double force = 0;              ///< with which the right end is pulled
  bool converged = false;
};

/// The points whose x is the smallest or the largest: at most a millionth of the width away.
inline std::vector<bool> end_of(const Mesh& mesh, bool right) {
  const auto [low, high] = std::ranges::minmax_element(mesh.points, {}, [](const Point& p) { return p[0]; });
  const double x = (right ? *high : *low)[0], width = (*high)[0] - (*low)[0];
  std::vector<bool> result;
  for (const Point& p : mesh.points) {
    result.push_back(std::abs(p[0] - x) <= 1e-6 * width);
  }
  return result;
}

/// Pulls the right end until the plate is `stretch` times as long, and minimises the energy by Newton's method until no
/// force is larger than `tolerance`. `report(i, energy, force)` is called at the start and after each iteration.
template <class Report>
Deformation deform(const Mesh& mesh, const Material& material, Grips grips, double stretch, int iterations,
                   double tolerance, Report report) {
  constexpr auto energy = tapeless::assemble(tapeless::hessian(Energy{}));
  const auto before = references(mesh);
  const auto left = end_of(mesh, false), right = end_of(mesh, true);

  // All is stretched alike, but for what is held; then no triangle is turned inside out.
  Deformation result{mesh.points, {}, 0, false};
  for (Point& p : result.points) {
    p[0] *= stretch;
  }
  std::vector<std::array<bool, 2>> held(mesh.points.size());
  bool y_is_held = false;
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    if (left[i] || right[i]) {
      // Sliding grips hold one point against moving up or down together.
      held[i] = {true, grips == Grips::clamped || !y_is_held};
      y_is_held = true;
    }
  }
  const auto nodes = [&](const std::vector<Point>& points) { return tapeless::nodes_of(points, mesh.triangles, held); };

  auto now = energy(nodes(result.points), before, material), next = now;
  const std::vector<int> unknowns = now.unknowns();
  const auto size = static_cast<Eigen::Index>(unknowns.size());
  const auto number_of = [&](auto& points, Eigen::Index unknown) -> auto& {
    const auto number = static_cast<std::size_t>(unknowns[static_cast<std::size_t>(unknown)]);
    return points[number / 2][number % 2];
  };
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> solver;
  for (int i = 0;; ++i) {
    Eigen::VectorXd force(size);
    for (Eigen::Index k = 0; k < size; ++k) {
      force[k] = number_of(now.gradient, k);
    }
    const double largest = force.lpNorm<Eigen::Infinity>();
    result.energies.push_back(now.value);
    report(i, now.value, largest);
    result.converged = largest <= tolerance;
    if (result.converged || i == iterations) {
      break;
    }
    const Eigen::SparseMatrix<double> stiffness = tapeless::as_eigen(now.hessian, unknowns.size());
    if (i == 0) {
      solver.analyzePattern(stiffness);
    }
    // A plate that buckles has an indefinite matrix on its way.
    double shift = 0;
    for (solver.factorize(stiffness); solver.info() != Eigen::Success; solver.factorize(stiffness)) {
      shift = std::max(10 * shift, 1e-6 * material.mu);
      if (!(shift < 1e12 * material.mu)) {
        throw example::Error("the stiffness matrix has entries that are not finite");
      }
      solver.setShift(shift);
    }
    solver.setShift(0);
    const Eigen::VectorXd step = solver.solve(force);
    const double slope = force.dot(step);
    for (double length = 1;; length /= 2) {
      if (length < 1e-12) {
        throw example::Error("no step lowers the energy: stretch the plate less, or in smaller steps");
      }
      std::vector<Point> moved = result.points;
      for (Eigen::Index k = 0; k < size; ++k) {
        number_of(moved, k) -= length * step[k];
      }
      energy(tapeless::into(next), nodes(moved), before, material);
      // The last steps change the energy by rounding alone.
      if (next.value <= now.value - 1e-4 * length * slope + 1e-14 * std::abs(now.value)) {
        result.points = moved;
        std::swap(now, next);
        break;
      }
    }
  }
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    result.force += right[i] ? now.gradient[i][0] : 0;
  }
  return result;
}

}  // namespace plate
