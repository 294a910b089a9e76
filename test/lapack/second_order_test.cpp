// Second derivatives of matrix operations, by clang too: it once needed the rules of a product before their class was
// complete. Closed forms for matrices of two rows.
#include <boost/test/unit_test.hpp>
#include <tapeless/lapack.hpp>
#include <tapeless/xtensor.hpp>

#include <cmath>

using namespace tapeless;

namespace {

using matrix = xt::xtensor<double, 2>;
const matrix a{{2, 0.5}, {0.5, 3}}, identity{{1, 0}, {0, 1}}, none{{0, 0}, {0, 0}}, last{{0, 0}, {0, 1}};
constexpr auto tolerance = 1e-13;

constexpr auto of_inverse = [](const auto& m) { return sum(inverse(m)); };
constexpr auto of_solve = [](const auto& m, const auto& b) { return sum(solve(m, b)); };
constexpr auto of_cholesky = [](const auto& m) { return sum(cholesky(m)); };
constexpr auto of_triangle = [](const auto& m, const auto& b) { return sum(solve_triangular<lower>(m, b)); };

void check(const matrix& product, double first, double upper, double lower, double second) {
  BOOST_TEST(product(0, 0) == first, boost::test_tools::tolerance(tolerance));
  BOOST_TEST(product(0, 1) == upper, boost::test_tools::tolerance(tolerance));
  BOOST_TEST(product(1, 0) == lower, boost::test_tools::tolerance(tolerance));
  BOOST_TEST(product(1, 1) == second, boost::test_tools::tolerance(tolerance));
}

// The gradient of 1' A^-1 1 is -v u', where A u = 1 and A' v = 1; here A and its inverse are symmetric.
void check_inverse(const matrix& product) {
  const double determinant = 2 * 3 - 0.25, p = 3 / determinant, q = -0.5 / determinant, r = 2 / determinant;
  const double u[] = {p + q, q + r}, moved[] = {q * u[1], r * u[1]};  // A^-1 D u, where D has its last element alone
  check(product, 2 * moved[0] * u[0], moved[0] * u[1] + u[0] * moved[1], moved[1] * u[0] + u[1] * moved[0],
        2 * moved[1] * u[1]);
}

BOOST_AUTO_TEST_CASE(of_an_inverse) {
  check_inverse(hvp(of_inverse, tangent(last))(a));
  check_inverse(std::get<0>(hvp(of_solve, tangent(last, none))(a, identity)));
  const auto h = hessian(of_inverse)(a);
  check_inverse(matrix{{h(0, 0, 1, 1), h(0, 1, 1, 1)}, {h(1, 0, 1, 1), h(1, 1, 1, 1)}});
}

// With s = c - b^2 / a: sqrt(a) + b / sqrt(a) + sqrt(s).
BOOST_AUTO_TEST_CASE(of_a_factor) {
  const double s = 3 - 0.125, cubed = s * std::sqrt(s);
  check(hvp(of_cholesky, tangent(last))(a), -0.25 * 0.25 / 4 / cubed, 0, 0.125 / cubed, -0.25 / cubed);
}

// 1 / a + 1 / c - b / (a c).
BOOST_AUTO_TEST_CASE(of_a_triangle) {
  check(std::get<0>(hvp(of_triangle, tangent(last, none))(a, identity)), -0.5 / 4 / 9, 0, 1.0 / 2 / 9,
        2.0 / 27 - 2 * 0.5 / 2 / 27);
}

// The derivative of the sum of squares of the gradient g along a direction is 2 g'H d; the last column of H is above.
BOOST_AUTO_TEST_CASE(of_a_gradient) {
  constexpr auto squares = [](const auto& m) { return sum(square(gradient(of_inverse)(m))); };
  const matrix g = gradient(of_inverse)(a), column = hvp(of_inverse, tangent(last))(a);
  double expected = 0;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) expected += 2 * g(i, j) * column(i, j);
  BOOST_TEST(gradient(squares)(a)(1, 1) == expected, boost::test_tools::tolerance(tolerance));
}

}  // namespace
