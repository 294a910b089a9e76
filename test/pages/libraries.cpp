#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
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
#endif

void on_a_manifold() {
  constexpr auto f = [](auto q, auto x) { return unit_quaternion_rotate_point(q, x); };
  const std::array<double, 4> q{1, 0, 0, 0};
  const std::array<double, 3> x{1, 2, 3}, step{0, 0, 0.5};
#include "libraries.3.hpp"
  // Ceres's tangents are half the angle: a turn about the third axis moves the point by 2 (-2, 1, 0).
  expect(nearly(j[0][2], -4) && nearly(j[1][2], 2) && j[2][2] == 0);
  expect(nearly(next[0], std::cos(0.5)) && nearly(next[3], std::sin(0.5)));
}

#ifdef PAGES_WITH_NLOPT
void with_nlopt() {
  const double a = 2;
#include "libraries.4.hpp"
  opt.set_lower_bounds({1, 1e-6});
  opt.set_xtol_rel(1e-10);
  std::vector<double> x{2, 5};
  double smallest = 0;
  opt.optimize(x, smallest);
  expect(std::abs(smallest - std::sqrt(2.0)) < 1e-6);
}
#endif

#ifdef PAGES_WITH_IPOPT
void with_ipopt() {
  Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication();
  application->Options()->SetIntegerValue("print_level", 0);
  application->Options()->SetStringValue("sb", "yes");
  application->Initialize();
#include "libraries.5.hpp"
  // Hock and Schittkowski's problem 71, with its published solution.
  expect(std::abs(problem->value - 17.0140173) < 1e-5);
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
#endif
#ifdef PAGES_WITH_NLOPT
  with_nlopt();
#endif
#ifdef PAGES_WITH_IPOPT
  with_ipopt();
#endif
}
