// Cost functions for Ceres, next to Ceres's own automatic derivatives and manifolds, and fits to data.
#include <tapeless/ceres.hpp>
#include <tapeless/tapeless.hpp>
#include "../../example/bal/reprojection.hpp"
#include "fits.hpp"

#include <ceres/autodiff_cost_function.h>
#include <ceres/gradient_problem.h>
#include <ceres/gradient_problem_solver.h>
#include <ceres/loss_function.h>
#include <ceres/manifold.h>
#include <ceres/problem.h>
#include <ceres/product_manifold.h>
#include <ceres/rotation.h>
#include <ceres/solver.h>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using tapeless::angle_axis_rotate_point, tapeless::quaternion_plus, tapeless::unit_quaternion_rotate_point;
using Camera = std::array<double, 9>;
using Point = std::array<double, 3>;
using Pixel = std::array<double, 2>;

using ceres_reprojection = bal::JetReprojection;
constexpr bal::Reprojection reprojection;

struct scene {
  std::vector<Camera> cameras;
  std::vector<Point> points;
  std::vector<Pixel> seen;  // of each camera, all points

  scene() {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int c = 0; c < 4; ++c)
      cameras.push_back({0.2 * normal(random), 0.2 * normal(random), 0.2 * normal(random), 0.1 * normal(random),
                         0.1 * normal(random), -8, 500, -0.1, 0.01});
    for (int p = 0; p < 12; ++p) points.push_back({normal(random), normal(random), normal(random)});
    for (const Camera& camera : cameras)
      for (const Point& point : points) {
        const Pixel there = reprojection(camera, point, Pixel{});
        seen.push_back({there[0] + 0.5 * normal(random), there[1] + 0.5 * normal(random)});
      }
    for (Point& point : points)
      for (double& x : point) x += 0.05 * normal(random);
  }
};

template <class Make>
ceres::Solver::Summary solve(scene s, Make make) {
  ceres::Problem problem;
  for (std::size_t c = 0; c < s.cameras.size(); ++c)
    for (std::size_t p = 0; p < s.points.size(); ++p)
      problem.AddResidualBlock(make(s.seen[c * s.points.size() + p]), nullptr, s.cameras[c].data(), s.points[p].data());
  problem.SetParameterBlockConstant(s.cameras[0].data());
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_SCHUR;
  options.function_tolerance = 1e-14;
  options.max_num_iterations = 100;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  return summary;
}

}  // namespace

BOOST_AUTO_TEST_CASE(jacobians_are_those_of_ceres) {
  const Pixel seen{10, 20};
  const std::unique_ptr<ceres::CostFunction> ours(tapeless::cost_function<2, 9, 3>(reprojection, seen));
  const ceres::AutoDiffCostFunction<ceres_reprojection, 2, 9, 3> theirs(new ceres_reprojection{seen});
  // Below an angle of 1e-8 Ceres leaves out what is of second order.
  for (const double turn : {0.0, 1e-16, 1e-3, 0.7, 3.0}) {
    const Camera camera{turn, -0.5 * turn, 0.25 * turn, 0.1, -0.2, -6, 500, -0.1, 0.01};
    const Point point{0.5, 1.5, -0.25};
    const double* blocks[] = {camera.data(), point.data()};
    double residuals[2], expected[2], by_camera[18], by_point[6], expected_by_camera[18], expected_by_point[6];
    double* jacobians[] = {by_camera, by_point};
    double* expected_jacobians[] = {expected_by_camera, expected_by_point};
    BOOST_TEST(ours->Evaluate(blocks, residuals, jacobians));
    BOOST_TEST(theirs.Evaluate(blocks, expected, expected_jacobians));
    const auto is_near = [](double a, double b) { return std::abs(a - b) <= 1e-12 * (1 + std::abs(b)); };
    for (int i = 0; i < 2; ++i) BOOST_TEST(is_near(residuals[i], expected[i]));
    for (int i = 0; i < 18; ++i)
      BOOST_TEST(is_near(by_camera[i], expected_by_camera[i]),
                 turn << ": " << by_camera[i] << " and " << expected_by_camera[i]);
    for (int i = 0; i < 6; ++i) BOOST_TEST(is_near(by_point[i], expected_by_point[i]));

    // Values alone, and a block that is constant.
    double alone[2], point_alone[6];
    BOOST_TEST(ours->Evaluate(blocks, alone, nullptr));
    BOOST_TEST(is_near(alone[0], residuals[0]));
    BOOST_TEST(is_near(alone[1], residuals[1]));
    double* without_camera[] = {nullptr, point_alone};
    BOOST_TEST(ours->Evaluate(blocks, alone, without_camera));
    BOOST_TEST((std::vector<double>(point_alone, point_alone + 6) == std::vector<double>(by_point, by_point + 6)));
  }
}

namespace {

struct distance_between {
  template <class T>
  constexpr bool operator()(const T* a, const T* b, T* residuals) const {
    using std::sqrt;
    residuals[0] = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])) - 1.0;
    return true;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(functors_written_for_ceres) {
  const std::unique_ptr<ceres::CostFunction> f(
      tapeless::cost_function<1, 2, 2>(tapeless::from_ceres<1, 2, 2>(distance_between{})));
  const double a[] = {4, 1}, b[] = {1, 5}, *blocks[] = {a, b};
  double residual, by_a[2], by_b[2], *jacobians[] = {by_a, by_b};
  BOOST_TEST(f->Evaluate(blocks, &residual, jacobians));
  BOOST_TEST(residual == 4.0);
  BOOST_TEST(std::abs(by_a[0] - 0.6) <= 1e-15);
  BOOST_TEST(std::abs(by_a[1] + 0.8) <= 1e-15);
  BOOST_TEST(std::abs(by_b[1] - 0.8) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(bundle_adjustment) {
  const scene s;
  const auto ours = solve(s, [](const Pixel& seen) { return tapeless::cost_function<2, 9, 3>(reprojection, seen); });
  const auto theirs = solve(s, [](const Pixel& seen) {
    return new ceres::AutoDiffCostFunction<ceres_reprojection, 2, 9, 3>(new ceres_reprojection{seen});
  });
  BOOST_TEST(ours.IsSolutionUsable());
  BOOST_TEST(ours.final_cost < 0.1 * ours.initial_cost);
  BOOST_TEST(std::abs(ours.final_cost - theirs.final_cost) <= 1e-10 * theirs.final_cost);
}

BOOST_AUTO_TEST_CASE(functions_to_minimise) {
  constexpr auto valley = [](auto x, auto steep) {
    return tapeless::square(1 - x[0]) + steep * tapeless::square(x[1] - x[0] * x[0]);
  };
  const ceres::GradientProblem problem(tapeless::first_order_function<2>(valley, 100.0));
  const double x[] = {-1.2, 1.0};
  double cost = 0, gradient[2];
  BOOST_TEST(problem.Evaluate(x, &cost, nullptr));
  BOOST_TEST(std::abs(cost - 24.2) <= 1e-13);
  BOOST_TEST(problem.Evaluate(x, &cost, gradient));
  BOOST_TEST(std::abs(gradient[0] + 215.6) <= 1e-12);
  BOOST_TEST(std::abs(gradient[1] + 88) <= 1e-12);
  double found[] = {-1.2, 1.0};
  ceres::GradientProblemSolver::Options options;
  ceres::GradientProblemSolver::Summary summary;
  ceres::Solve(options, problem, found, &summary);
  BOOST_TEST(std::abs(found[0] - 1) <= 1e-5);
}

namespace {

/// The cost that Ceres finds, half the sum of squares.
template <class... Blocks>
double least_cost(ceres::CostFunction* cost, Blocks&... blocks) {
  ceres::Problem problem;
  problem.AddResidualBlock(cost, nullptr, blocks.data()...);
  ceres::Solver::Options options;
  options.function_tolerance = options.gradient_tolerance = 1e-15;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  BOOST_TEST(summary.IsSolutionUsable());
  return summary.final_cost;
}
template <std::size_t N>
void minimise(ceres::FirstOrderFunction* f, std::array<double, N>& x) {
  const ceres::GradientProblem problem(f);
  ceres::GradientProblemSolver::Options options;
  options.function_tolerance = 1e-15;
  ceres::GradientProblemSolver::Summary summary;
  ceres::Solve(options, problem, x.data(), &summary);
}

}  // namespace

BOOST_AUTO_TEST_CASE(fits_to_vectors) {
  std::array<double, 2> line{}, normal{}, by_squares{};
  BOOST_TEST(std::abs(least_cost(tapeless::cost_function<ceres::DYNAMIC, 2>(fits::residuals, std::ref(fits::times),
                                                                            std::ref(fits::heights)),
                                 line) -
                      fits::sum_of_squares / 2) <= 1e-9);
  BOOST_TEST(std::abs(line[0] - fits::intercept) <= 1e-7);
  BOOST_TEST(std::abs(line[1] - fits::slope) <= 1e-7);
  minimise(tapeless::first_order_function<2>(fits::normal, fits::seen), normal);
  BOOST_TEST(std::abs(normal[0] - fits::mean) <= 1e-5);
  BOOST_TEST(std::abs(normal[1] - fits::log_variance) <= 1e-5);
  minimise(tapeless::first_order_function<2>(tapeless::bind_back(fits::squares, fits::times, fits::heights)),
           by_squares);
  BOOST_TEST(std::abs(by_squares[0] - fits::intercept) <= 1e-5);
  BOOST_TEST(std::abs(by_squares[1] - fits::slope) <= 1e-5);
}

BOOST_AUTO_TEST_CASE(sizes_at_run_time) {
  std::array<double, 2> line{};
  least_cost(tapeless::dynamic_cost_function(fits::regression_residuals, {2}, fits::rows, fits::heights), line);
  BOOST_TEST(std::abs(line[0] - fits::intercept) <= 1e-7);
  BOOST_TEST(std::abs(line[1] - fits::slope) <= 1e-7);
  std::array<double, 5> joints{};
  minimise(tapeless::first_order_function(fits::springs, 5, fits::forces), joints);
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(std::abs(joints[i] - static_cast<double>(i + 1)) <= 1e-5);

  // Two blocks, the entries of their Jacobians by hand: w_k x_ik and the row x_i, and of the array of two sums.
  constexpr auto products = [](const auto& s, const auto& w, const auto& x) { return dot(x, s[0] * w); };
  constexpr auto sums = [](const auto& s, const auto& w, const auto& x) {
    return std::array{s[0] * sum(w), sum(dot(x, w)) + s[1]};
  };
  const std::unique_ptr<ceres::CostFunction> vector(
      tapeless::dynamic_cost_function(products, {2, 2}, std::ref(fits::rows)));
  const std::unique_ptr<ceres::CostFunction> two(tapeless::dynamic_cost_function(sums, {2, 2}, fits::rows));
  const double s[] = {2, 7}, w[] = {3, 5}, *blocks[] = {s, w};
  double residuals[5], by_s[10], by_w[10], *jacobians[] = {by_s, by_w};
  BOOST_TEST(vector->num_residuals() == 5);
  BOOST_TEST(vector->Evaluate(blocks, residuals, jacobians));
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST(residuals[i] == 2 * (3 + 5 * i));
    BOOST_TEST(by_s[2 * i] == 3 + 5 * i);
    BOOST_TEST(by_s[2 * i + 1] == 0);
    BOOST_TEST(by_w[2 * i] == 2);
    BOOST_TEST(by_w[2 * i + 1] == 2 * i);
  }
  BOOST_TEST(two->num_residuals() == 2);
  BOOST_TEST(two->Evaluate(blocks, residuals, jacobians));
  BOOST_TEST(residuals[0] == 16);
  BOOST_TEST(residuals[1] == 72);
  BOOST_TEST((std::vector<double>(by_s, by_s + 4) == std::vector<double>{8, 0, 0, 1}));
  BOOST_TEST((std::vector<double>(by_w, by_w + 4) == std::vector<double>{2, 2, 5, 10}));

  const auto says = [](const std::string& what) {
    return [what](const std::invalid_argument& e) { return std::string(e.what()).find(what) != std::string::npos; };
  };
  BOOST_CHECK_EXCEPTION((tapeless::cost_function<4, 2>(fits::residuals, fits::times, fits::heights)),
                        std::invalid_argument, says("returns 5 residuals, and the cost function has 4"));
  BOOST_CHECK_EXCEPTION(tapeless::dynamic_cost_function(fits::regression_residuals, {3}, fits::rows, fits::heights),
                        std::invalid_argument, says("3"));
  BOOST_CHECK_EXCEPTION(tapeless::first_order_function(fits::springs, 4, fits::forces), std::invalid_argument,
                        says("theirs are 4 and 5"));
}

BOOST_AUTO_TEST_CASE(tangents_of_rotations) {
  // By the tangent at 0: the Jacobian by the quaternion times that of the manifold.
  constexpr auto turned = [](auto q, auto x) { return unit_quaternion_rotate_point(q, x); };
  constexpr auto moved = [](auto q, auto tangent, auto x) {
    return unit_quaternion_rotate_point(quaternion_plus(q, tangent), x);
  };
  const ceres::QuaternionManifold manifold;
  const std::array<double, 4> q{0.5, -0.5, 0.1, 0.7};  // length 1
  const Point x{1, -2, 0.5};
  const auto by_quaternion = tapeless::jacobian(turned, tapeless::wrt<0>)(q, x);
  const auto by_tangent = tapeless::jacobian(moved, tapeless::wrt<1>)(q, Point{}, x);
  double plus[12];
  BOOST_TEST(manifold.PlusJacobian(q.data(), plus));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      double expected = 0;
      for (std::size_t k = 0; k < 4; ++k) expected += by_quaternion[i][k] * plus[k * 3 + j];
      BOOST_TEST(std::abs(by_tangent[i][j] - expected) <= 1e-14);
    }
  const Point tangent{0.3, -0.1, 0.2};
  double expected[4];
  BOOST_TEST(manifold.Plus(q.data(), tangent.data(), expected));
  const auto there = tapeless::quaternion_plus(q, tangent);
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(there[i] - expected[i]) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(tangents_of_poses) {
  // A point in the frame of a pose, and turned by a quaternion in Eigen's order.
  constexpr auto placed = [](auto pose, auto x) {
    const auto p = unit_quaternion_rotate_point(std::array{pose[0], pose[1], pose[2], pose[3]}, x);
    return std::array{p[0] + pose[4], p[1] * pose[5], p[2] + pose[6]};
  };
  constexpr auto turned = [](auto q, auto x) {
    return unit_quaternion_rotate_point(std::array{q[3], q[0], q[1], q[2]}, x);
  };
  const Point x{1, -2, 0.5};
  const auto check = [&](auto f, auto manifold, const ceres::Manifold& theirs, const auto& point) {
    const auto by_point = tapeless::jacobian(f, tapeless::wrt<0>)(point, x);
    const auto by_tangent =
        tapeless::jacobian(tapeless::local<decltype(manifold)>(f), tapeless::wrt<0>)(manifold.zero, point, x);
    std::vector<double> plus(point.size() * manifold.zero.size()), moved(point.size());
    BOOST_TEST(theirs.PlusJacobian(point.data(), plus.data()));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < manifold.zero.size(); ++j) {
        double expected = 0;
        for (std::size_t k = 0; k < point.size(); ++k) expected += by_point[i][k] * plus[k * manifold.zero.size() + j];
        BOOST_TEST(std::abs(by_tangent[i][j] - expected) <= 1e-14);
      }
    auto tangent = manifold.zero;
    for (std::size_t j = 0; j < tangent.size(); ++j) tangent[j] = 0.3 - 0.17 * static_cast<double>(j);
    BOOST_TEST(theirs.Plus(point.data(), tangent.data(), moved.data()));
    const auto there = manifold.plus(point, tangent);
    for (std::size_t k = 0; k < point.size(); ++k) BOOST_TEST(std::abs(there[k] - moved[k]) <= 1e-15);
  };
  check(turned, tapeless::eigen_so3{}, ceres::EigenQuaternionManifold(), std::array{-0.5, 0.1, 0.7, 0.5});
  check(placed, tapeless::se3{},
        ceres::ProductManifold<ceres::QuaternionManifold, ceres::EuclideanManifold<3>>(ceres::QuaternionManifold(),
                                                                                       ceres::EuclideanManifold<3>()),
        std::array{0.5, -0.5, 0.1, 0.7, 3.0, -1.0, 2.0});
  // Both arguments of a function.
  constexpr auto both = [](auto p, auto q) {
    return unit_quaternion_rotate_point(p, unit_quaternion_rotate_point(q, Point{1, 2, 3}));
  };
  const std::array<double, 4> p{0.5, -0.5, 0.1, 0.7}, q{0.1, 0.7, -0.5, 0.5};
  const auto of_both = tapeless::local<tapeless::so3, 2>(tapeless::local<tapeless::so3>(both));
  const auto by_tangents =
      tapeless::jacobian(of_both, tapeless::wrt<0, 1>)(tapeless::so3::zero, tapeless::so3::zero, p, q);
  const auto by_p_alone =
      tapeless::jacobian(tapeless::local<tapeless::so3>(both), tapeless::wrt<0>)(tapeless::so3::zero, p, q);
  const auto by_q_alone =
      tapeless::jacobian(tapeless::local<tapeless::so3, 1>(both), tapeless::wrt<0>)(tapeless::so3::zero, p, q);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      BOOST_TEST(std::abs(by_tangents[i][j + 3] - by_p_alone[i][j]) <= 1e-14);
      BOOST_TEST(std::abs(by_tangents[i][j] - by_q_alone[i][j]) <= 1e-14);
    }
}
