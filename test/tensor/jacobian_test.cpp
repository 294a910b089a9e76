// Jacobians over tensors against closed forms: by rows where fewer numbers are returned than the variables have, by
// columns elsewhere, which the number of evaluations tells; extents 0 and 1, matrices, several outputs and variables.
#include "check.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <tuple>

using namespace tapeless;
using tapeless_test::matrix, tapeless_test::vector, tapeless_test::nearly;
using tapeless_test::X, tapeless_test::w, tapeless_test::t;

namespace {

using tensor3 = xt::xtensor<double, 3>;
using tensor4 = xt::xtensor<double, 4>;

// The exponential: each sweep reads its value.
long evaluations = 0;
struct Counted {
  static constexpr std::string_view name = "counted";
  static constexpr auto value = [](const auto& x) {
    using std::exp;
    ++evaluations;
    return exp(x);
  };
  static constexpr auto partials = rules([](const auto&, const auto& y) { return y; });
};

template <class Tensor>
Tensor filled(const typename Tensor::shape_type& shape, double from) {
  Tensor result = Tensor::from_shape(shape);
  double next = from;
  for (double& element : result) element = std::sin(next), next += 0.7;
  return result;
}

constexpr auto layer = [](const auto& a, const auto& x) { return tanh(dot(a, x)); };

void check_layer(std::size_t m, std::size_t n) {
  const matrix a = filled<matrix>({m, n}, 0.3);
  const vector x = filled<vector>({n}, 1.1);
  const auto [by_a, by_x] = jacobian(layer)(a, x);
  BOOST_TEST((by_a.shape() == tensor3::shape_type{m, m, n}));
  BOOST_TEST((by_x.shape() == matrix::shape_type{m, n}));
  for (std::size_t i = 0; i < m; ++i) {
    double y = 0;
    for (std::size_t k = 0; k < n; ++k) y += a(i, k) * x(k);
    y = std::tanh(y);
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < n; ++k) nearly(by_a(i, j, k), i == j ? (1 - y * y) * x(k) : 0, "by a");
    for (std::size_t k = 0; k < n; ++k) nearly(by_x(i, k), (1 - y * y) * a(i, k), "by x");
  }
  const matrix alone = jacobian(layer, wrt<1>)(a, x);
  BOOST_TEST((alone.shape() == by_x.shape()));
  for (std::size_t i = 0; i < alone.size(); ++i) nearly(alone.data()[i], by_x.data()[i], "alone");
}

}  // namespace

BOOST_AUTO_TEST_CASE(wide_square_and_tall) {
  for (const std::size_t m : {0u, 1u, 2u, 5u})
    for (const std::size_t n : {0u, 1u, 2u, 5u, 17u}) check_layer(m, n);
}

BOOST_AUTO_TEST_CASE(as_few_sweeps_as_the_smaller_side_has) {
  const auto f = [](const auto& a, const auto& x) { return dot(a, apply<Counted>(x)); };
  const auto sweeps_for = [&](std::size_t m, std::size_t n) {
    const matrix a = filled<matrix>({m, n}, 0.3);
    const vector x = filled<vector>({n}, 1.1);
    evaluations = 0;
    jvp(f, tangent(x), wrt<1>)(a, x);
    const long of_a_sweep = evaluations;
    BOOST_TEST(of_a_sweep > 0);
    matrix j;
    evaluations = 0;
    jacobian(f, wrt<1>)(into(j), a, x);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t k = 0; k < n; ++k) nearly(j(i, k), a(i, k) * std::exp(x(k)), "a sum of exponentials");
    return evaluations / of_a_sweep;
  };
  // A forward sweep, for the shapes, and a row each.
  BOOST_TEST(sweeps_for(2, 100) == 3);
  BOOST_TEST(sweeps_for(100, 2) == 2);
  BOOST_TEST(sweeps_for(5, 5) == 5);
}

BOOST_AUTO_TEST_CASE(outputs_and_variables_of_several_ranks) {
  const matrix x = filled<matrix>({2, 3}, 0.2);
  const vector u = filled<vector>({3}, 0.9), v = filled<vector>({2}, 0.4);
  // Row sums of squares, a number, and a matrix: 2 + 1 + 4 numbers, by 6 + 3 + 2.
  const auto j = jacobian(outputs(dot(X, w), sum(square(w)) * sum(t), outer(t, t)), wrt(X, w, t))(X = x, w = u, t = v);
  const tensor3& by_x = j(0_c, X);
  const matrix& by_w = j(0_c, w);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      nearly(by_w(i, k), x(i, k), "products by w");
      for (std::size_t r = 0; r < 2; ++r) nearly(by_x(i, r, k), i == r ? u(k) : 0, "products by x");
      nearly(j(1_c, X)(i, k), 0, "a number by x");
      nearly(j(1_c, w)(k), 2 * u(k) * (v(0) + v(1)), "a number by w");
    }
  const double squares = u(0) * u(0) + u(1) * u(1) + u(2) * u(2);
  const tensor3& by_t = j(2_c, t);
  for (std::size_t i = 0; i < 2; ++i) {
    nearly(j(1_c, t)(i), squares, "a number by t");
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t l = 0; l < 2; ++l)
        nearly(by_t(i, k, l), (i == l ? v(k) : 0) + (k == l ? v(i) : 0), "a product by t");
  }
  BOOST_TEST((j(2_c, X) == tensor4(tensor4::shape_type{2, 2, 2, 3}, 0.0)));
}

BOOST_AUTO_TEST_CASE(values_loops_and_results_in_place) {
  // The last of x[0], x[0] x[1] + 1, ..., by 6 elements; and a stop.
  const auto horner = [](const auto& x, const auto& q) {
    const auto step = [](const auto& s, const auto& e) { return s * e + 1.0; };
    return std::tuple(scan(step, 1.0, x), q * stop_gradient(sum(x)));
  };
  vector x{1.5, -0.5, 0.25, 2, -1, 0.75}, q{2, 3};
  const auto both = value_and_jacobian(horner, wrt<0>)(x, q);
  double value = 1;
  for (const double e : x) value = value * e + 1;
  nearly(std::get<0>(both.value), value, "the value");
  double after = 1;
  for (std::size_t i = x.size(); i-- > 0; after *= x(i)) {
    double before = 1;
    for (std::size_t k = 0; k < i; ++k) before = before * x(k) + 1;
    nearly(std::get<0>(both.jacobian)(i), before * after, "through the loop");
  }
  BOOST_TEST((std::get<1>(both.jacobian) == matrix(matrix::shape_type{2, 6}, 0.0)));

  // The result lies where a variable is bound.
  matrix a{{1, 2, 3}};
  const vector b{0.1, 0.2, 0.3};
  jacobian([](const auto& m, const auto& y) { return dot(m, square(y)); }, wrt<1>)(into(a), a, b);
  for (std::size_t k = 0; k < 3; ++k) nearly(a(0, k), 2 * static_cast<double>(k + 1) * b(k), "in place");
}
