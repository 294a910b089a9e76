#include <tapeless/tapeless.hpp>
#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#ifdef PAGES_WITH_EIGEN
#include <tapeless/eigen.hpp>

#include <Eigen/Core>
#endif
#ifdef PAGES_WITH_CERES
#include <tapeless/ceres.hpp>

#include <ceres/ceres.h>
#endif
#ifdef PAGES_WITH_NLOPT
#include <tapeless/nlopt.hpp>
#endif
#ifdef PAGES_WITH_IPOPT
#include <tapeless/ipopt.hpp>

#include <IpIpoptApplication.hpp>
#endif

#include "pages.hpp"

using namespace tapeless;

namespace {

// The line 1.4 + 0.8 t by the normal equations 5 a + 10 b = 15, 10 a + 30 b = 38.
const std::vector<double> times{0, 1, 2, 3, 4}, heights{1, 3, 2, 5, 4};
const xt::xtensor<double, 2> rows{{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}};
constexpr int parameters = 2;

#ifdef PAGES_WITH_EIGEN
void with_eigen() {
#include "libraries.1.hpp"
  expect(nearly(value[0], 1) && value[1] == 0 && nearly(j(0, 0), 1) && j(0, 1) == 0);
}
#endif

#ifdef PAGES_WITH_CERES
void with_ceres() {
  ceres::Problem problem;
  double camera[9]{0, 0, 0, 0, 0, 2, 10, 0, 0}, point[3]{1, 2, 3};
  const std::array<double, 2> seen{1, 1};
#include "libraries.2.hpp"
  double cost = 0;
  problem.Evaluate({}, &cost, nullptr, nullptr, nullptr);
  expect(nearly(cost, (1.0 + 9.0) / 2));
}
void vectors_with_ceres() {
#include "libraries.3.hpp"
  for (ceres::CostFunction* const function : {f, g}) {
    double line[2]{};
    ceres::Problem problem;
    problem.AddResidualBlock(function, nullptr, line);
    ceres::Solver::Options options;
    options.function_tolerance = 1e-15;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    expect(std::abs(line[0] - 1.4) < 1e-6 && std::abs(line[1] - 0.8) < 1e-6);
  }
}
#endif

void on_a_manifold() {
  constexpr auto f = [](auto q, auto x) { return unit_quaternion_rotate_point(q, x); };
  const std::array<double, 4> q{1, 0, 0, 0};
  const std::array<double, 3> x{1, 2, 3}, step{0, 0, 0.5};
#include "libraries.4.hpp"
  // Ceres's tangents are half the angle: a turn about the third axis moves the point by 2 (-2, 1, 0).
  expect(nearly(j[0][2], -4) && nearly(j[1][2], 2) && j[2][2] == 0);
  expect(nearly(next[0], std::cos(0.5)) && nearly(next[3], std::sin(0.5)));
}

#ifdef PAGES_WITH_NLOPT
void with_nlopt() {
  const double a = 2;
#include "libraries.5.hpp"
  opt.set_lower_bounds({1, 1e-6});
  opt.set_xtol_rel(1e-10);
  std::vector<double> x{2, 5};
  double smallest = 0;
  opt.optimize(x, smallest);
  expect(std::abs(smallest - std::sqrt(2.0)) < 1e-6);
}
void vectors_with_nlopt() {
#include "libraries.6.hpp"
  fit.set_xtol_rel(1e-10);
  std::vector<double> w{0, 0};
  double smallest = 0;
  fit.optimize(w, smallest);
  expect(std::abs(w[0] - 1.4) < 1e-6 && std::abs(w[1] - 0.8) < 1e-6 && std::abs(smallest - 3.6) < 1e-6);
}
#endif

#ifdef PAGES_WITH_IPOPT
void vectors_with_ipopt(Ipopt::IpoptApplication& application) {
#include "libraries.8.hpp"
  application.OptimizeTNLP(Ipopt::GetRawPtr(fit));
  expect(std::abs(fit->solution[0] - 1.4) < 1e-6 && std::abs(fit->solution[1] - 0.8) < 1e-6);
}
void elements_with_ipopt(Ipopt::IpoptApplication& application) {
#include "libraries.9.hpp"
  // Each motion is held, from position 1 on.
  expect(application.OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
  for (std::size_t k = 0; k < 300; ++k)
    expect(std::abs(problem->solution[k + 1][0] - problem->solution[k][0] - 0.01 * problem->solution[k][1]) < 1e-7);
  expect(problem->solution[0][0] == 1 && std::abs(problem->solution[300][0]) < 0.2);
}
void with_ipopt() {
  Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication();
  application->Options()->SetIntegerValue("print_level", 0);
  application->Options()->SetStringValue("sb", "yes");
  application->Initialize();
#include "libraries.7.hpp"
  // Hock and Schittkowski's problem 71, with its published solution.
  expect(std::abs(problem->value - 17.0140173) < 1e-5);
  vectors_with_ipopt(*application);
  elements_with_ipopt(*application);
}
#endif

}  // namespace

void libraries_page() {
#ifdef PAGES_WITH_EIGEN
  with_eigen();
#endif
  on_a_manifold();
#ifdef PAGES_WITH_CERES
  with_ceres();
  vectors_with_ceres();
#endif
#ifdef PAGES_WITH_NLOPT
  with_nlopt();
  vectors_with_nlopt();
#endif
#ifdef PAGES_WITH_IPOPT
  with_ipopt();
#endif
}
