// Times of what engineers run, next to hand-written code and to Ceres's own automatic derivatives; each line ends with
// the ratio. The best of many runs in one process.
#include "../../example/bal/problem.hpp"
#include "../../example/bal/reprojection.hpp"
#include "../neo_hookean.hpp"
#include "seconds.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/ceres.hpp>
#include <tapeless/tapeless.hpp>

#include <ceres/autodiff_cost_function.h>
#include <ceres/problem.h>
#include <ceres/rotation.h>
#include <ceres/solver.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace {

template <class Ours, class Theirs>
void compare(const char* what, const Ours& ours, const Theirs& theirs, int repetitions, double each) {
  double a = 1e9, b = 1e9;
  for (int i = 0; i < repetitions; ++i) {
    a = std::min(a, seconds(ours));
    b = std::min(b, seconds(theirs));
  }
  std::printf("%-58s %10.1f ns %10.1f ns  %.3f\n", what, a / each * 1e9, b / each * 1e9, a / b);
}

using ceres_reprojection = bal::JetReprojection;
constexpr bal::Reprojection reprojection;

void bundle_adjustment() {
  const std::array<double, 2> seen{10, 20};
  const std::unique_ptr<ceres::CostFunction> ours(tapeless::cost_function<2, 9, 3>(reprojection, seen));
  const std::unique_ptr<ceres::CostFunction> theirs(
      new ceres::AutoDiffCostFunction<ceres_reprojection, 2, 9, 3>(new ceres_reprojection{seen}));
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::array<double, 12>> all(1000);
  for (auto& p : all) {
    for (std::size_t i = 0; i < 5; ++i) p[i] = 0.2 * normal(random);
    p[5] = -8, p[6] = 500, p[7] = -0.1, p[8] = 0.01;
    for (std::size_t i = 9; i < 12; ++i) p[i] = normal(random);
  }
  double residuals[2], by_camera[18], by_point[6];
  double* jacobians[] = {by_camera, by_point};
  const auto run = [&](const ceres::CostFunction& f, double** to) {
    return [&, to] {
      for (const auto& p : all) {
        const double* blocks[] = {p.data(), p.data() + 9};
        f.Evaluate(blocks, residuals, to);
      }
    };
  };
  compare("residual and Jacobian 2 x (9 + 3), Ceres's Jets", run(*ours, jacobians), run(*theirs, jacobians), 100, 1000);
  compare("residual alone", run(*ours, nullptr), run(*theirs, nullptr), 100, 1000);
}

/// Ten iterations on a problem of which each point is seen by `views` cameras.
void whole_solve(const char* what, ceres::LinearSolverType solver, std::size_t cameras, std::size_t points,
                 std::size_t views) {
  const bal::Problem problem = bal::generate(cameras, points, views, 1);
  double cost[2];
  const auto solve = [&](double& to, auto make) {
    return [&, make] {
      bal::Problem values = problem;
      ceres::Problem to_solve;
      for (const auto& [camera, point, seen] : values.observations)
        to_solve.AddResidualBlock(make(seen), nullptr, values.cameras[camera].data(), values.points[point].data());
      ceres::Solver::Options options;
      options.linear_solver_type = solver;
      options.max_num_iterations = 10;
      options.logging_type = ceres::SILENT;
      options.function_tolerance = options.gradient_tolerance = options.parameter_tolerance = 0;
      ceres::Solver::Summary summary;
      ceres::Solve(options, &to_solve, &summary);
      to = summary.final_cost;
    };
  };
  compare(what,
          solve(cost[0], [](const bal::Pixel& seen) { return tapeless::cost_function<2, 9, 3>(reprojection, seen); }),
          solve(cost[1],
                [](const bal::Pixel& seen) {
                  return new ceres::AutoDiffCostFunction<ceres_reprojection, 2, 9, 3>(new ceres_reprojection{seen});
                }),
          5, double(problem.observations.size()));
  if (!(std::abs(cost[0] - cost[1]) <= 1e-10 * cost[1])) std::printf("the costs differ\n");
}

using Vector = std::array<double, 6>;
using Matrix = std::array<Vector, 6>;

constexpr auto log_density = [](auto x, auto covariance) {
  const auto l = cholesky(covariance);
  const auto z = tapeless::solve_triangular<tapeless::lower>(l, x);
  return -0.5 * (dot(z, z) + log_det<tapeless::positive_definite>(covariance));
};
constexpr auto gradient_of_density = tapeless::value_and_gradient(log_density);
using Density = decltype(gradient_of_density(Vector{}, Matrix{}));

[[gnu::noinline]] void density(const Vector& x, const Matrix& covariance, Density& to) {
  to = gradient_of_density(x, covariance);
}
// By the factor's inverse, as far as it is not zero.
[[gnu::noinline]] void density_by_hand(const Vector& x, const Matrix& covariance, Density& to) {
  double l[6][6], inverse[6][6] = {}, z[6], w[6], pivots = 1, squares = 0;
  for (int j = 0; j < 6; ++j) {
    double pivot = covariance[std::size_t(j)][std::size_t(j)];
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    l[j][j] = std::sqrt(pivot);
    pivots *= l[j][j];
    inverse[j][j] = 1 / l[j][j];
    for (int i = j + 1; i < 6; ++i) {
      double left = covariance[std::size_t(i)][std::size_t(j)];
      for (int k = 0; k < j; ++k) left -= l[i][k] * l[j][k];
      l[i][j] = left * inverse[j][j];
    }
  }
  for (int j = 0; j < 6; ++j)
    for (int i = j + 1; i < 6; ++i) {
      double sum = 0;
      for (int k = j; k < i; ++k) sum += l[i][k] * inverse[k][j];
      inverse[i][j] = -sum * inverse[i][i];
    }
  for (int i = 0; i < 6; ++i) {
    z[i] = 0;
    for (int k = 0; k <= i; ++k) z[i] += inverse[i][k] * x[std::size_t(k)];
    squares += z[i] * z[i];
  }
  auto& [by_x, by_covariance] = to.gradient;
  for (int i = 0; i < 6; ++i) {
    w[i] = 0;
    for (int k = i; k < 6; ++k) w[i] += inverse[k][i] * z[k];
    by_x[std::size_t(i)] = -w[i];
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = i; k < 6; ++k) sum += inverse[k][i] * inverse[k][j];
      by_covariance[std::size_t(i)][std::size_t(j)] = (w[i] * w[j] - sum) * (i == j ? 0.5 : 1);
      if (j < i) by_covariance[std::size_t(j)][std::size_t(i)] = 0;
    }
  }
  to.value = -0.5 * squares - std::log(pivots);
}

void gaussian() {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  std::vector<std::pair<Vector, Matrix>> all(200);
  for (auto& [x, covariance] : all) {
    Matrix m;
    for (auto& row : m)
      for (double& entry : row) entry = normal(random);
    for (double& entry : x) entry = normal(random);
    covariance = tapeless::matmul(m, tapeless::transpose(m));
    for (std::size_t i = 0; i < 6; ++i) covariance[i][i] += 1;
  }
  Density r, expected;
  density(all[0].first, all[0].second, r);
  density_by_hand(all[0].first, all[0].second, expected);
  if (!(std::abs(r.value - expected.value) < 1e-12)) std::printf("the densities differ\n");
  const auto run = [&](auto f) {
    return [&all, &r, f] {
      for (const auto& [x, covariance] : all) f(x, covariance, r);
    };
  };
  compare("gradient of a log-density with a 6 x 6 covariance, by hand", run(density), run(density_by_hand), 100, 200);
}

using tapeless_test::Point, tapeless_test::Quadrilateral, tapeless_test::Slopes;

/// The loop over elements with the derivatives of the material's law by hand.
template <class Result>
void elements_by_hand(const std::vector<Point>& x, const std::vector<Quadrilateral>& elements,
                      const std::vector<Slopes>& slopes, const std::vector<double>& areas, Result& to) {
  to.value = 0;
  std::fill(to.gradient.begin(), to.gradient.end(), Point{});
  std::fill(to.hessian.values.begin(), to.hessian.values.end(), 0.0);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const Slopes& g = slopes[e];
    const double area = areas[e];
    double f[2][2] = {}, q[4][2];
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 2; ++j) f[i][j] += x[std::size_t(elements[e][k])][i] * g[k][j];
    const double volume = f[0][0] * f[1][1] - f[0][1] * f[1][0], l = std::log(volume), inverse = 1 / volume;
    to.value +=
        area / 2 *
        (f[0][0] * f[0][0] + f[0][1] * f[0][1] + f[1][0] * f[1][0] + f[1][1] * f[1][1] - 2 - 2 * l + 1.5 * l * l);
    for (std::size_t k = 0; k < 4; ++k) {
      q[k][0] = inverse * (f[1][1] * g[k][0] - f[1][0] * g[k][1]);
      q[k][1] = inverse * (f[0][0] * g[k][1] - f[0][1] * g[k][0]);
    }
    const double c = area * (1 - 1.5 * l), d = 1.5 * area;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto node = std::size_t(elements[e][k]);
      for (std::size_t i = 0; i < 2; ++i)
        to.gradient[node][i] += area * (f[i][0] * g[k][0] + f[i][1] * g[k][1]) - c * q[k][i];
      for (std::size_t m = 0; m < 4; ++m) {
        const double same = area * (g[k][0] * g[m][0] + g[k][1] * g[m][1]);
        const int offset = to.pattern.offsets[(e * 4 + k) * 4 + m];
        for (std::size_t i = 0; i < 2; ++i) {
          double* const row = &to.hessian.values[std::size_t(to.hessian.row_begin[2 * node + i] + offset)];
          for (std::size_t j = 0; j < 2; ++j)
            row[j] += (i == j ? same : 0.0) + c * q[k][j] * q[m][i] + d * q[k][i] * q[m][j];
        }
      }
    }
  }
}

void elements() {
  for (const int n : {100, 316}) {
    tapeless_test::sheet sheet(n);
    std::fill(sheet.areas.begin(), sheet.areas.end(), 1.0);
    const auto& [x, elements, slopes, areas] = sheet;
    const auto verb = tapeless::assemble(tapeless::hessian(tapeless_test::energy));
    auto ours = verb(x, elements, slopes, areas), theirs = ours;
    compare(
        n == 100 ? "Hessian of 10000 elements, an element, by hand" : "of 99856 elements",
        [&] { verb(tapeless::into(ours), x, elements, slopes, areas); },
        [&] { elements_by_hand(x, elements, slopes, areas, theirs); }, 15, double(elements.size()));
    if (!(std::abs(ours.value - theirs.value) < 1e-9 * theirs.value)) std::printf("the values differ\n");
  }
}

}  // namespace

int main() {
  bundle_adjustment();
  whole_solve("ten iterations, an observation, 49 cameras, 4 see a point, dense Schur", ceres::DENSE_SCHUR, 49, 7776,
              4);
  whole_solve("sparse Schur", ceres::SPARSE_SCHUR, 49, 7776, 4);
  whole_solve("iterative Schur", ceres::ITERATIVE_SCHUR, 49, 7776, 4);
  whole_solve("49 see a point, dense Schur", ceres::DENSE_SCHUR, 49, 640, 49);
  gaussian();
  elements();
}
