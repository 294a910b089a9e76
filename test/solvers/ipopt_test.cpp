// Problems of Ipopt: one of Hock and Schittkowski's, with its published solution, the sparsity of derivatives, and fits
// to data.
#include <tapeless/ipopt.hpp>
#include <tapeless/tapeless.hpp>
#include "fits.hpp"

#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
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

// The same constraints in a tuple, of a vector.
BOOST_AUTO_TEST_CASE(constraints_in_a_tuple) {
  constexpr auto in_tuple = [](const auto& x) {
    return std::tuple{x[0] * x[1] * x[2] * x[3], x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]};
  };
  const auto check = [](const auto& problem) {
    std::ranges::fill(problem->lower, 1), std::ranges::fill(problem->upper, 5);
    problem->constraint_lower = {25, 40};
    problem->constraint_upper[1] = 40;
    problem->start = {1, 5, 5, 1};
    BOOST_TEST(application()->OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
    BOOST_TEST(std::abs(problem->value - 17.0140173) < 1e-6);
    BOOST_TEST(std::abs(problem->multipliers[0] + 0.55229366) < 1e-6);
    BOOST_TEST(std::abs(problem->multipliers[1] - 0.16146857) < 1e-6);
  };
  check(tapeless::ipopt_problem<4>(objective, in_tuple));
  check(tapeless::ipopt_problem(objective, in_tuple, 4));
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

namespace {

// Of a point and a speed that a force moves, with the time step 0.1.
constexpr auto effort = [](auto z) { return z[0] * z[0] + 0.1 * z[1] * z[1] + 0.5 * z[2] * z[2]; };
constexpr auto motion = [](auto now, auto then) {
  return std::array{then[0] - (now[0] + 0.1 * now[1]), then[1] - (now[1] + 0.1 * now[2])};
};
/// The least effort from position 1 at rest, by the recursion of Riccati: the matrix P of the effort from a step on.
double least_effort(int steps) {
  double a = 1, b = 0, c = 0.1;  // P, symmetric
  for (int k = 0; k < steps; ++k) {
    // P B and B'PB for B = (0, 0.1), and A'P B for A = (1 0.1; 0 1).
    const double pb[2] = {0.1 * b, 0.1 * c}, weight = 0.5 + 0.1 * pb[1];
    const double apb[2] = {pb[0], 0.1 * pb[0] + pb[1]};
    const double new_a = 1 + a - apb[0] * apb[0] / weight, new_b = 0.1 * a + b - apb[0] * apb[1] / weight,
                 new_c = 0.1 + 0.01 * a + 0.2 * b + c - apb[1] * apb[1] / weight;
    a = new_a, b = new_b, c = new_c;
  }
  return a;
}

// A chain of rigid links.
constexpr auto height = [](auto p) { return p[1]; };
constexpr auto excess = [](auto p, auto q, auto length) {
  return square(q[0] - p[0]) + square(q[1] - p[1]) - square(length);
};

}  // namespace

BOOST_AUTO_TEST_CASE(sums_over_elements_of_any_number) {
  const auto app = application();
  for (const int steps : {1, 30, 300}) {
    std::vector<int> each(static_cast<std::size_t>(steps) + 1);
    std::iota(each.begin(), each.end(), 0);
    std::vector<std::array<int, 2>> pairs;
    for (int k = 0; k < steps; ++k) pairs.push_back({k, k + 1});
    const auto problem =
        tapeless::ipopt_problem(std::vector<std::array<double, 3>>(each.size()), tapeless::elements_of(effort, each),
                                tapeless::elements_of(motion, std::ref(pairs)));
    problem->lower[0] = {1, 0, -1e20}, problem->upper[0] = {1, 0, 1e20};
    std::ranges::fill(problem->constraint_lower, 0), std::ranges::fill(problem->constraint_upper, 0);
    Ipopt::Index n, m, of_jacobian, of_hessian;
    Ipopt::TNLP::IndexStyleEnum style;
    problem->get_nlp_info(n, m, of_jacobian, of_hessian, style);
    BOOST_TEST(n == 3 * (steps + 1));
    BOOST_TEST(m == 2 * steps);
    BOOST_TEST(of_jacobian == 2 * 6 * steps);
    BOOST_TEST(of_hessian == 6 * (steps + 1) + 9 * steps);  // the effort has no entries that the motion has not
    BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
    BOOST_TEST(app->Statistics()->IterationCount() == 1);
    BOOST_TEST(std::abs(problem->value / least_effort(steps) - 1) < 1e-12);
    BOOST_TEST(problem->solution.front()[0] == 1);
    BOOST_TEST(std::abs(problem->solution.back()[2]) < 1e-12);  // the last force moves nothing
  }
}

// The horizontal force in a hanging chain is the same in all links, and its vertical force grows by a node's weight
// from link to link: of n links, number k has the slope (k - (n - 1) / 2) / force.
BOOST_AUTO_TEST_CASE(hanging_chain) {
  constexpr std::size_t links = 9;
  const auto reach = [](double force) {
    double span = 0;
    for (std::size_t k = 0; k < links; ++k) {
      const double slope = (static_cast<double>(k) - 4) / force;
      span += 1 / std::sqrt(1 + slope * slope);
    }
    return span;
  };
  double low = 1e-3, high = 1e3;
  for (int i = 0; i < 200; ++i) (reach((low + high) / 2) < 6 ? low : high) = (low + high) / 2;

  std::vector<std::array<double, 2>> start(links + 1);
  for (std::size_t i = 0; i <= links; ++i)
    start[i] = {6.0 * static_cast<double>(i) / links, -0.1 * static_cast<double>(i * (links - i))};
  std::vector<int> inner;
  for (int i = 1; i < static_cast<int>(links); ++i) inner.push_back(i);
  std::vector<std::array<int, 2>> pairs;
  for (int i = 0; i < static_cast<int>(links); ++i) pairs.push_back({i, i + 1});
  const std::vector<double> lengths(links, 1);
  const auto problem = tapeless::ipopt_problem(start, tapeless::elements_of(height, inner),
                                               tapeless::elements_of(excess, pairs, lengths));
  problem->lower.front() = problem->upper.front() = {0, 0};
  problem->lower.back() = problem->upper.back() = {6, 0};
  std::ranges::fill(problem->constraint_lower, 0), std::ranges::fill(problem->constraint_upper, 0);
  const auto app = application();
  BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
  BOOST_TEST(app->Statistics()->IterationCount() <= 2 * newton_iterations);
  double x = 0, y = 0;
  for (std::size_t k = 0; k < links; ++k) {
    const double slope = (static_cast<double>(k) - 4) / low, width = 1 / std::sqrt(1 + slope * slope);
    x += width, y += slope * width;
    BOOST_TEST(std::abs(problem->solution[k + 1][0] - x) < 1e-8);
    BOOST_TEST(std::abs(problem->solution[k + 1][1] - y) < 1e-8);
    // Half the force along the link, for its length is squared.
    BOOST_TEST(std::abs(problem->multipliers[k] - low / width / 2) < 1e-7);
  }

  // Links that are shorter than the span cannot reach.
  const std::vector<double> short_links(links, 0.5);
  const auto torn = tapeless::ipopt_problem(start, tapeless::elements_of(height, inner),
                                            tapeless::elements_of(excess, pairs, std::ref(short_links)));
  torn->lower.front() = torn->upper.front() = {0, 0}, torn->lower.back() = torn->upper.back() = {6, 0};
  torn->constraint_lower = torn->constraint_upper = std::vector<double>(links);
  BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(torn)) != Ipopt::Solve_Succeeded);
}

BOOST_AUTO_TEST_CASE(several_kinds_of_constraints) {
  // The largest sum of numbers, each at most its limit, neighbours together at most 1: 0.4, 0.6, 0.3, 0.7.
  constexpr auto lost = [](auto x) { return -x; };
  constexpr auto together = [](auto x, auto y) { return x + y; };
  constexpr auto one = [](auto x, auto limit) { return x / limit; };
  const std::vector<int> each{0, 1, 2, 3};
  const std::vector<std::array<int, 2>> pairs{{0, 1}, {2, 3}};
  const auto problem = tapeless::ipopt_problem(std::vector<double>(4, 0.1), tapeless::elements_of(lost, each),
                                               tapeless::elements_of(together, pairs),
                                               tapeless::elements_of(one, each, std::vector{0.4, 0.6, 0.3, 0.7}));
  std::ranges::fill(problem->constraint_upper, 1);
  BOOST_TEST(application()->OptimizeTNLP(Ipopt::GetRawPtr(problem)) == Ipopt::Solve_Succeeded);
  const std::array expected{0.4, 0.6, 0.3, 0.7};
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(std::abs(problem->solution[i] - expected[i]) < 1e-7);
  BOOST_TEST(problem->multipliers.size() == 6);

  // Nothing but an objective, and what does not fit.
  constexpr auto well = [](auto x, auto bottom) { return square(x - bottom); };
  const auto free =
      tapeless::ipopt_problem(std::vector<double>(2), tapeless::elements_of(well, std::vector{0, 1}, 3.0));
  const auto app = application();
  BOOST_TEST(app->OptimizeTNLP(Ipopt::GetRawPtr(free)) == Ipopt::Solve_Succeeded);
  for (const double x : free->solution) BOOST_TEST(std::abs(x - 3) < 1e-9);
  const auto says = [](const std::string& what) {
    return [what](const std::invalid_argument& e) { return std::string(e.what()).find(what) != std::string::npos; };
  };
  BOOST_CHECK_EXCEPTION(tapeless::ipopt_problem(std::vector<double>(2), tapeless::elements_of(lost, each)),
                        std::invalid_argument, says("element 2 refers to entry 2 of a vector of length 2"));
  app->RethrowNonIpoptException(true);
  problem->constraint_lower.resize(3);
  BOOST_CHECK_EXCEPTION(app->OptimizeTNLP(Ipopt::GetRawPtr(problem)), std::invalid_argument,
                        says("constraint_lower has 3 numbers, and the function 6"));
}
