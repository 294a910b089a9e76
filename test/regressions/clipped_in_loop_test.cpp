// An adjoint that depends on a loop's result was multiplied after the loop by what grad_clip had clipped without it.
#include <boost/test/unit_test.hpp>
#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace tapeless;

namespace {

constexpr auto clip = [](auto u) { return grad_clip(u, -1, 1); };
constexpr auto same = [](auto u) { return u; };

BOOST_AUTO_TEST_CASE(of_a_call_and_of_a_branch) {
  constexpr auto called = [](auto x) { return exp(call(clip, x)); };
  constexpr auto branch = [](auto x) { return 100 * cond(x > 1, clip, same, x); };
  BOOST_TEST(gradient(called)(2.0) == 1);
  BOOST_TEST(gradient(called)(-2.0) == std::exp(-2.0), boost::test_tools::tolerance(1e-15));
  BOOST_TEST(gradient(branch)(2.0) == 1);
  BOOST_TEST(gradient(branch)(0.5) == 100);
  BOOST_TEST(vjp(branch, cotangent(0.005))(2.0) == 0.5);
  const auto rows = jacobian([](auto x) { return std::array{5 * cond(x > 1, clip, same, x), clip(x) * 5}; })(2.0);
  BOOST_TEST(rows[0][0] == 1);
  BOOST_TEST(rows[1][0] == 1);
}

BOOST_AUTO_TEST_CASE(of_a_scan) {
  constexpr auto f = [](auto x, auto xs) {
    return square(scan([&](auto sum, auto s) { return sum + 0.5 * sin(grad_clip(s * x, -0.1, 0.1)); }, 0.0, xs));
  };
  constexpr auto with_branches = [](auto x, auto xs) {
    return 100 * scan([&](auto sum, auto s) { return sum + cond(s > 0, clip, same, s * x); }, 0.0, xs);
  };
  const std::vector<double> xs{1, -2, 3};
  const double x = 0.4;
  double sum = 0, slope = 0;
  for (const double s : xs) sum += 0.5 * std::sin(s * x);
  for (const double s : xs) slope += s * std::clamp(2 * sum * 0.5 * std::cos(s * x), -0.1, 0.1);
  BOOST_TEST(gradient(f, wrt<0>)(x, xs) == slope, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(gradient(with_branches, wrt<0>)(x, xs) == 1 - 200 + 3);
}

BOOST_AUTO_TEST_CASE(of_a_branch_of_tensors) {
  constexpr auto f = [](const auto& x) { return 100 * cond(sum(x) > 1, clip, same, sum(x)); };
  const auto g = gradient(f)(xt::xtensor<double, 1>{1, 2, 3});
  for (const double slope : g) BOOST_TEST(slope == 1);
}

// The Hessian is the derivative of the clipped gradient (2 a clip(b), cond(...)).
BOOST_AUTO_TEST_CASE(of_second_order) {
  constexpr auto f = [](auto a, auto b) {
    return b * cond(a > 0, [](auto u) { return grad_clip(u * u, -1, 1); }, same, a);
  };
  const auto [by_a, by_b] = hvp(f, tangent(1.0, 0.0))(3.0, 5.0);
  BOOST_TEST(by_a == 2);
  BOOST_TEST(by_b == 6);
}

}  // namespace
