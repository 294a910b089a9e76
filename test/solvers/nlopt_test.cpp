// Objectives and constraints of NLopt: the problem of its tutorial, whose solution is known, and fits to data.
#include <tapeless/nlopt.hpp>
#include <tapeless/tapeless.hpp>
#include "fits.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
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

namespace {

template <class Set>
std::vector<double> solve(unsigned n, Set set) {
  nlopt::opt opt(nlopt::LD_SLSQP, n);
  set(opt);
  opt.set_xtol_rel(1e-12);
  std::vector<double> x(n, 0.5);
  double value = 0;
  opt.optimize(x, value);
  return x;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fits_to_vectors) {
  const auto normal = solve(2, [](nlopt::opt& opt) { tapeless::set_min_objective<2>(opt, fits::normal, &fits::seen); });
  BOOST_TEST(std::abs(normal[0] - fits::mean) <= 1e-6);
  BOOST_TEST(std::abs(normal[1] - fits::log_variance) <= 1e-6);
  // Several data are read where they lie, or copied once.
  std::vector<double> y = fits::heights;
  const auto line = tapeless::bind_back(fits::squares, fits::times, std::ref(y));
  y[0] += 10;
  const auto moved = solve(2, [&](nlopt::opt& opt) { tapeless::set_min_objective<2>(opt, &line); });
  BOOST_TEST(std::abs(moved[0] - (fits::intercept + 6)) <= 1e-6);
  BOOST_TEST(std::abs(moved[1] - (fits::slope - 2)) <= 1e-6);
}

BOOST_AUTO_TEST_CASE(as_many_parameters_as_the_optimiser_has) {
  const auto line = tapeless::bind_back(fits::regression, fits::rows, fits::heights);
  const auto found = solve(2, [&](nlopt::opt& opt) { tapeless::set_min_objective(opt, &line); });
  BOOST_TEST(std::abs(found[0] - fits::intercept) <= 1e-6);
  BOOST_TEST(std::abs(found[1] - fits::slope) <= 1e-6);
  const auto rest = solve(5, [](nlopt::opt& opt) { tapeless::set_min_objective(opt, fits::springs, &fits::forces); });
  for (std::size_t i = 0; i < 5; ++i) BOOST_TEST(std::abs(rest[i] - static_cast<double>(i + 1)) <= 1e-5);
  // Residuals as constraints: a vector of two, so that the line goes through both points.
  constexpr auto length = [](const auto& w) { return sum(square(w)); };
  const xt::xtensor<double, 2> two_rows{{1, 0}, {1, 2}};
  const std::vector<double> two{1, 5};
  const auto through = tapeless::bind_back(fits::regression_residuals, std::ref(two_rows), std::ref(two));
  const auto exact = solve(2, [&](nlopt::opt& opt) {
    tapeless::set_min_objective(opt, length);
    tapeless::add_equality_constraint(opt, &through, 1e-10);
  });
  BOOST_TEST(std::abs(exact[0] - 1) <= 1e-6);
  BOOST_TEST(std::abs(exact[1] - 2) <= 1e-6);
}

BOOST_AUTO_TEST_CASE(sizes_that_do_not_fit) {
  nlopt::opt opt(nlopt::LD_SLSQP, 4);
  const auto says = [](const std::string& what) {
    return [what](const std::invalid_argument& e) { return std::string(e.what()).find(what) != std::string::npos; };
  };
  BOOST_CHECK_EXCEPTION(tapeless::set_min_objective(opt, fits::springs, &fits::forces), std::invalid_argument,
                        says("theirs are 4 and 5"));
  BOOST_CHECK_EXCEPTION(tapeless::set_min_objective<2>(opt, fits::normal, &fits::seen), std::invalid_argument,
                        says("takes 2 numbers, and the optimiser has 4"));
}
