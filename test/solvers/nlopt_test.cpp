// Objectives and constraints of NLopt: the problem of its tutorial, whose solution is known.
#include <tapeless/nlopt.hpp>
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace {

// Minimise sqrt(x1) subject to x1 >= (a x0 + b)^3 for two pairs (a, b): x = (1/3, 8/27).
constexpr auto height = [](auto x) { return sqrt(x[1]); };
constexpr auto below = [](auto x, auto lines) {
  const auto cube = [](auto u) { return u * u * u; };
  return std::array{cube(lines[0][0] * x[0] + lines[0][1]) - x[1], cube(lines[1][0] * x[0] + lines[1][1]) - x[1]};
};

}  // namespace

BOOST_AUTO_TEST_CASE(inequalities) {
  nlopt::opt opt(nlopt::LD_SLSQP, 2);
  const std::array<std::array<double, 2>, 2> lines{{{2, 0}, {-1, 1}}};
  tapeless::set_min_objective<2>(opt, height);
  tapeless::add_inequality_constraint<2>(opt, below, 1e-10, &lines);
  opt.set_lower_bounds({-10, 1e-6});
  opt.set_xtol_rel(1e-8);
  std::vector<double> x{1.234, 5.678};
  double least = 0;
  opt.optimize(x, least);
  BOOST_TEST(std::abs(x[0] - 1.0 / 3) <= 1e-6);
  BOOST_TEST(std::abs(x[1] - 8.0 / 27) <= 1e-6);
  BOOST_TEST(std::abs(least - std::sqrt(8.0 / 27)) <= 1e-6);
}

BOOST_AUTO_TEST_CASE(equalities_and_maxima) {
  // The largest product of three numbers whose squares sum up to 3.
  constexpr auto product = [](auto x) { return x[0] * x[1] * x[2]; };
  constexpr auto sphere = [](auto x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 3; };
  nlopt::opt opt(nlopt::LD_SLSQP, 3);
  tapeless::set_max_objective<3>(opt, product);
  tapeless::add_equality_constraint<3>(opt, sphere, 1e-10);
  opt.set_xtol_rel(1e-10);
  std::vector<double> x{0.5, 1.5, 1.0};
  double largest = 0;
  opt.optimize(x, largest);
  BOOST_TEST(std::abs(largest - 1) <= 1e-7);
  nlopt::opt other(nlopt::LD_SLSQP, 2);
  BOOST_CHECK_THROW(tapeless::set_min_objective<3>(other, product), std::invalid_argument);
}
