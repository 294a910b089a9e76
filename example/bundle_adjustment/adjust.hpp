#pragma once

#include "../common/error.hpp"
#include "scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace bundle_adjustment {

using Linearised = decltype(reprojection(Camera{}, Point{}, 1.0, Pixel{}));

/// Residuals and their derivatives, an entry an observation.
inline std::vector<Linearised> linearise(const Scene& scene) {
  std::vector<Linearised> result;
  result.reserve(scene.observations.size());
  for (const auto& [camera, point, weight, seen] : scene.observations) {
    result.push_back(reprojection(scene.cameras[camera], scene.points[point], weight, seen));
  }
  return result;
}

/// Half the sum of the squared residuals.
inline double cost_of(const std::vector<Linearised>& residuals) {
  double sum = 0;
  for (const auto& [value, jacobian] : residuals) {
    sum += value[0] * value[0] + value[1] * value[1];
  }
  return sum / 2;
}

constexpr std::size_t camera_size = 11;
constexpr std::size_t point_size = 3;

/// What a scene's cameras and points have in common: a gradient, a step.
struct Parameters {
  std::vector<Camera> cameras;
  std::vector<Point> points;

  explicit Parameters(const Scene& scene) : cameras(scene.cameras.size()), points(scene.points.size()) {}
};

/// The gradient of the cost: the transposed Jacobian times the residuals.
inline Parameters gradient_of(const Scene& scene, const std::vector<Linearised>& residuals) {
  Parameters gradient(scene);
  for (std::size_t o = 0; o < residuals.size(); ++o) {
    const auto& [value, jacobian] = residuals[o];
    const Observation& seen = scene.observations[o];
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t i = 0; i < camera_size; ++i) {
        gradient.cameras[seen.camera][i] += jacobian[row][i] * value[row];
      }
      for (std::size_t i = 0; i < point_size; ++i) {
        gradient.points[seen.point][i] += jacobian[row][camera_size + i] * value[row];
      }
    }
  }
  return gradient;
}

/// A symmetric matrix, positive definite unless `factorise` says otherwise; its lower triangle is used.
class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(std::size_t size) : size_(size), entries_(size * size) {}

  double& operator()(std::size_t i, std::size_t j) { return entries_[i * size_ + j]; }

  /// Cholesky's factorisation, in place.
  bool factorise() {
    for (std::size_t j = 0; j < size_; ++j) {
      double* const row = &entries_[j * size_];
      for (std::size_t k = 0; k <= j; ++k) {
        const double* const other = &entries_[k * size_];
        double sum = row[k];
        for (std::size_t l = 0; l < k; ++l) {
          sum -= row[l] * other[l];
        }
        if (k == j && !(sum > 0)) {
          return false;
        }
        row[k] = k == j ? std::sqrt(sum) : sum / other[k];
      }
    }
    return true;
  }

  /// Replaces `x` by the solution of A y = x, once A is factorised.
  template <class Vector>
  void solve(Vector& x) const {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        x[i] -= entries_[i * size_ + j] * x[j];
      }
      x[i] /= entries_[i * size_ + i];
    }
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t j = i + 1; j < size_; ++j) {
        x[i] -= entries_[j * size_ + i] * x[j];
      }
      x[i] /= entries_[i * size_ + i];
    }
  }

 private:
  std::size_t size_;
  std::vector<double> entries_;
};

/// The step of Levenberg and Marquardt: solves (J'J + damping diag(J'J)) step = -gradient. Each point is seen by few
/// cameras and eliminated first; what is left, Schur's complement, is a dense system for the cameras. False if that is
/// not positive definite in floating point.
inline bool solve_step(const Scene& scene, const std::vector<Linearised>& residuals, const Parameters& gradient,
                       double damping, Parameters& step) {
  using Coupling = std::array<Point, camera_size>;  // a camera's rows, a point's columns of J'J
  SymmetricMatrix schur(camera_size * scene.cameras.size());
  std::vector<double> right(camera_size * scene.cameras.size());
  std::vector<SymmetricMatrix> blocks(scene.points.size(), SymmetricMatrix(point_size));
  std::vector<Coupling> couplings(residuals.size());
  std::vector<std::vector<std::size_t>> seen_at(scene.points.size());

  for (std::size_t o = 0; o < residuals.size(); ++o) {
    const auto& jacobian = residuals[o].jacobian;
    const auto product = [&](std::size_t i, std::size_t j) {
      return jacobian[0][i] * jacobian[0][j] + jacobian[1][i] * jacobian[1][j];
    };
    const std::size_t first = camera_size * scene.observations[o].camera;
    const std::size_t point = scene.observations[o].point;
    seen_at[point].push_back(o);
    for (std::size_t i = 0; i < camera_size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        schur(first + i, first + j) += product(i, j) * (i == j ? 1 + damping : 1);
      }
      for (std::size_t j = 0; j < point_size; ++j) {
        couplings[o][i][j] = product(i, camera_size + j);
      }
    }
    for (std::size_t i = 0; i < point_size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        blocks[point](i, j) += product(camera_size + i, camera_size + j) * (i == j ? 1 + damping : 1);
      }
    }
  }
  for (std::size_t c = 0; c < scene.cameras.size(); ++c) {
    for (std::size_t i = 0; i < camera_size; ++i) {
      right[camera_size * c + i] = -gradient.cameras[c][i];
    }
  }

  for (std::size_t p = 0; p < scene.points.size(); ++p) {
    if (!blocks[p].factorise()) {
      return false;
    }
    for (const std::size_t o : seen_at[p]) {
      const std::size_t row = camera_size * scene.observations[o].camera;
      for (std::size_t i = 0; i < camera_size; ++i) {
        Point solved = couplings[o][i];
        blocks[p].solve(solved);
        for (std::size_t k = 0; k < point_size; ++k) {
          right[row + i] += solved[k] * gradient.points[p][k];
        }
        for (const std::size_t other : seen_at[p]) {
          const std::size_t column = camera_size * scene.observations[other].camera;
          for (std::size_t j = 0; j < camera_size && column + j <= row + i; ++j) {
            for (std::size_t k = 0; k < point_size; ++k) {
              schur(row + i, column + j) -= solved[k] * couplings[other][j][k];
            }
          }
        }
      }
    }
  }
  if (!schur.factorise()) {
    return false;
  }
  schur.solve(right);

  for (std::size_t c = 0; c < scene.cameras.size(); ++c) {
    std::copy_n(&right[camera_size * c], camera_size, step.cameras[c].begin());
  }
  for (std::size_t p = 0; p < scene.points.size(); ++p) {
    for (std::size_t k = 0; k < point_size; ++k) {
      step.points[p][k] = -gradient.points[p][k];
      for (const std::size_t o : seen_at[p]) {
        for (std::size_t i = 0; i < camera_size; ++i) {
          step.points[p][k] -= couplings[o][i][k] * step.cameras[scene.observations[o].camera][i];
        }
      }
    }
    blocks[p].solve(step.points[p]);
  }
  return true;
}

inline Scene moved(Scene scene, const Parameters& step) {
  const auto add = [](auto& to, const auto& from) {
    for (std::size_t n = 0; n < to.size(); ++n) {
      for (std::size_t i = 0; i < to[n].size(); ++i) {
        to[n][i] += from[n][i];
      }
    }
  };
  add(scene.cameras, step.cameras);
  add(scene.points, step.points);
  return scene;
}

struct Adjustment {
  Scene scene;
  std::vector<Linearised> residuals;
  std::vector<double> costs;  ///< at the start and after each iteration
  bool converged = false;
};

/// Minimises the cost by Levenberg and Marquardt's method until a step changes it by less than `tolerance` of itself.
/// `report(i, cost)` is called at the start and after each iteration.
template <class Report>
Adjustment adjust(const Scene& start, int iterations, double tolerance, Report report) {
  Adjustment result{start, linearise(start), {}, false};
  result.costs.push_back(cost_of(result.residuals));
  report(0, result.costs.back());
  double damping = 1e-3;
  Parameters step(start);
  for (int i = 1; i <= iterations && !result.converged; ++i) {
    const Parameters gradient = gradient_of(result.scene, result.residuals);
    for (bool accepted = false; !accepted;) {
      if (damping > 1e12) {
        throw example::Error("no step lowers the cost: the scene cannot be adjusted");
      }
      if (solve_step(result.scene, result.residuals, gradient, damping, step)) {
        Scene next = moved(result.scene, step);
        std::vector<Linearised> residuals = linearise(next);
        const double cost = cost_of(residuals);
        // At the minimum rounding decides which of two costs is smaller; NaN is no step.
        if (const double change = result.costs.back() - cost; change > -1e-13 * cost) {
          accepted = true;
          result.converged = change < tolerance * cost;
          result.scene = std::move(next);
          result.residuals = std::move(residuals);
          result.costs.push_back(cost);
          report(i, cost);
        }
      }
      damping = accepted ? std::max(damping / 10, 1e-12) : damping * 10;
    }
  }
  return result;
}

/// The largest difference between the gradient and central differences of the cost, relative to the gradient's entry
/// or, where that is small, to a hundred-thousandth of the cost, since differences have few digits of such entries. Of
/// the first cameras and points, as each difference takes the residuals of the whole scene twice.
inline double gradient_error(const Scene& scene) {
  const std::vector<Linearised> residuals = linearise(scene);
  const Parameters gradient = gradient_of(scene, residuals);
  const double smallest = 1e-5 * cost_of(residuals);
  double worst = 0;
  Scene there = scene;
  const auto check = [&](double& parameter, double derivative) {
    const double value = parameter;
    const double h = 1e-5 * std::max(std::abs(value), 1.0);
    parameter = value + h;
    const std::vector<Linearised> above = linearise(there);
    parameter = value - h;
    const std::vector<Linearised> below = linearise(there);
    parameter = value;
    // Term by term: the two costs have many terms in common, whose rounding errors would hide their difference.
    double difference = 0;
    for (std::size_t o = 0; o < above.size(); ++o) {
      for (std::size_t row = 0; row < 2; ++row) {
        const double a = above[o].value[row];
        const double b = below[o].value[row];
        difference += (a - b) * (a + b) / 2;
      }
    }
    worst = std::max(worst, std::abs(difference / (2 * h) - derivative) / std::max(std::abs(derivative), smallest));
  };
  for (std::size_t c = 0; c < std::min<std::size_t>(scene.cameras.size(), 8); ++c) {
    for (std::size_t i = 0; i < camera_size; ++i) {
      check(there.cameras[c][i], gradient.cameras[c][i]);
    }
  }
  for (std::size_t p = 0; p < std::min<std::size_t>(scene.points.size(), 20); ++p) {
    for (std::size_t i = 0; i < point_size; ++i) {
      check(there.points[p][i], gradient.points[p][i]);
    }
  }
  return worst;
}

}  // namespace bundle_adjustment
