// Problems of Ipopt: one of Hock and Schittkowski's, with its published solution, the sparsity of derivatives, and fits
// to data.
#include <tapeless/ipopt.hpp>
#include <tapeless/tapeless.hpp>
#include "fits.hpp"

#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Number 71 of "Test Examples for Nonlinear Programming Codes" (1981).
constexpr auto objective = [](auto x) { return x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]; };
constexpr auto constraints = [](auto x) {
  return std::array{x[0] * x[1] * x[2] * x[3], x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]};
};
// Rosenbrock's function of six numbers, with data.
constexpr auto valley = [](auto x, auto steep) {
  auto sum = decltype(x[0] * steep)(0);
  for (std::size_t i = 0; i + 1 < 6; ++i) {
    const auto step = x[i + 1] - x[i] * x[i], rest = 1.0 - x[i];
    sum = sum + steep * step * step + rest * rest;
  }
  return sum;
};
constexpr auto nothing_wanted = [](auto x, auto steep) { return std::array{x[0] + 0.0 * steep}; };

auto application() {
  Ipopt::SmartPtr<Ipopt::IpoptApplication> result = new Ipopt::IpoptApplication();
  result->Options()->SetIntegerValue("print_level", 0);
  result->Options()->SetStringValue("sb", "yes");
  result->Options()->SetNumericValue("tol", 1e-10);
  BOOST_REQUIRE(result->Initialize() == Ipopt::Solve_Succeeded);
  return result;
}
/// With exact second derivatives it takes 8 steps or so, with Ipopt's approximation of them more.
constexpr int newton_iterations = 10;

}  // namespace

BOOST_AUTO_TEST_CASE(published_solution) {
  const auto problem = tapeless::ipopt_problem<4>(objective, constraints);
  problem->lower.fill(1), problem->upper.fill(5);
  problem->constraint_lower = {25, 40};
  problem->constraint_upper[1] = 40;
  problem->start = {1, 5, 5, 1};
  const auto app = application();
  BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
  const std::array<double, 4> published{1, 4.74299963, 3.82114998, 1.37940829};
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(problem->solution[i] - published[i]) < 1e-7);
  BOOST_TEST(std::abs(problem->value - 17.0140173) < 1e-6);
  BOOST_TEST(std::abs(problem->multipliers[0] + 0.55229366) < 1e-6);
  BOOST_TEST(std::abs(problem->multipliers[1] - 0.16146857) < 1e-6);
  BOOST_TEST(app->Statistics()->IterationCount() <= newton_iterations);
}

BOOST_AUTO_TEST_CASE(sparsity) {
  const auto problem = tapeless::ipopt_problem<6>(valley, nothing_wanted, 100.0);
  Ipopt::Index n, m, of_jacobian, of_hessian;
  Ipopt::TNLP::IndexStyleEnum style;
  problem->get_nlp_info(n, m, of_jacobian, of_hessian, style);
  BOOST_TEST(n == 6);
  BOOST_TEST(m == 1);
  BOOST_TEST(of_jacobian == 1);
  BOOST_TEST(of_hessian == 6 + 5);  // tridiagonal, the upper triangle
  problem->start = {0.5, 1, 0.5, 1, 0.5, 1};
  BOOST_TEST(application()->OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
  for (const double x : problem->solution) BOOST_TEST(std::abs(x - 1) < 1e-8);
}

BOOST_AUTO_TEST_CASE(without_constraints) {
  const auto problem = tapeless::ipopt_problem<2>([](auto x) { return (x[0] - 3) * (x[0] - 3) + exp(x[1]) - x[1]; });
  problem->start = {1, 1};
  BOOST_TEST(application()->OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
  BOOST_TEST(std::abs(problem->solution[0] - 3) < 1e-8);
  BOOST_TEST(std::abs(problem->solution[1]) < 1e-8);
}

BOOST_AUTO_TEST_CASE(data_without_constraints) {
  constexpr auto distance = [](auto x, auto a) { return square(x[0] - a[0]) + square(x[1] - a[1]); };
  const std::array a{1.0, 2.0};
  const auto check = [&](const auto& problem) {
    BOOST_TEST(application()->OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
    BOOST_TEST(std::abs(problem->solution[0] - 1) < 1e-8);
    BOOST_TEST(std::abs(problem->solution[1] - 2) < 1e-8);
  };
  check(tapeless::ipopt_problem<2>(distance, a));
  check(tapeless::ipopt_problem<2>(tapeless::bind_back(distance, a)));
}

BOOST_AUTO_TEST_CASE(fits_to_vectors) {
  const auto app = application();
  const auto normal = tapeless::ipopt_problem<2>(fits::normal, std::ref(fits::seen));
  BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(normal)) == Ipopt::Solve_Succeeded);
  BOOST_TEST(std::abs(normal->solution[0] - fits::mean) < 1e-8);
  BOOST_TEST(std::abs(normal->solution[1] - fits::log_variance) < 1e-8);
  // Over tensors, with a Hessian without zeros: the least squares are found in one step.
  const auto line = tapeless::ipopt_problem<2>(fits::squares, fits::times, fits::heights);
  BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(line)) == Ipopt::Solve_Succeeded);
  BOOST_TEST(app->Statistics()->IterationCount() == 1);
  BOOST_TEST(std::abs(line->solution[0] - fits::intercept) < 1e-8);
  BOOST_TEST(std::abs(line->solution[1] - fits::slope) < 1e-8);
  BOOST_TEST(std::abs(line->value - fits::sum_of_squares) < 1e-8);
}

BOOST_AUTO_TEST_CASE(sizes_at_run_time) {
  const auto app = application();
  const auto line = tapeless::ipopt_problem(fits::regression, 2, fits::rows, fits::heights);
  BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(line)) == Ipopt::Solve_Succeeded);
  BOOST_TEST(app->Statistics()->IterationCount() == 1);
  BOOST_TEST(std::abs(line->solution[0] - fits::intercept) < 1e-8);
  BOOST_TEST(std::abs(line->solution[1] - fits::slope) < 1e-8);

  // A loop over parameters and data, with a constraint: the sum of all joints is that of the joints at rest.
  constexpr auto total = [](const auto& p, const auto&) {
    return scan([](auto sum, auto joint) { return sum + joint; }, 0.0, p);
  };
  const auto springs = tapeless::ipopt_problem(fits::springs, total, 5, fits::forces);
  springs->constraint_lower[0] = springs->constraint_upper[0] = 15;
  BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(springs)) == Ipopt::Solve_Succeeded);
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(std::abs(springs->solution[i] - static_cast<double>(i + 1)) < 1e-8);
  BOOST_TEST(std::abs(springs->value + 15) < 1e-8);
  BOOST_TEST(std::abs(springs->multipliers[0]) < 1e-8);

  // With Ipopt's approximation of the Hessian.
  const auto approximating = application();
  approximating->Options()->SetStringValue("hessian_approximation", "limited-memory");
  const auto free = tapeless::ipopt_problem(fits::springs, 5, fits::forces);
  BOOST_TEST(approximating->OptimizeTNLP(Ipopt::GetRawPtr(free)) == Ipopt::Solve_Succeeded);
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(std::abs(free->solution[i] - static_cast<double>(i + 1)) < 1e-6);

  const auto says = [](const std::string& what) {
    return [what](const std::invalid_argument& e) { return std::string(e.what()).find(what) != std::string::npos; };
  };
  BOOST_CHECK_EXCEPTION(tapeless::ipopt_problem(fits::springs, 4, fits::forces), std::invalid_argument,
                        says("theirs are 4 and 5"));
  app->RethrowNonIpoptException(true);
  free->start = {1, 2};
  BOOST_CHECK_EXCEPTION(app->OptimizeTNLP(Ipopt::GetRawPtr(free)), std::invalid_argument,
                        says("start has 2 numbers, and the function 5"));
}
