// Cumulative sums and products, variances, and sums of products of several operands: values from NumPy, written out as
// it prints them for the expression in the comment, with v = [1, ..., 5], x = [[1, 2, 3], [4, 5, 6]] and
// c = arange(1, 13).reshape(2, 3, 2); derivatives against differences; extents that only a call tells.
#include "../allocations.hpp"
#include "check.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

using namespace tapeless;
using namespace tapeless_test;

namespace {

using cube = xt::xtensor<double, 3>;

const vector v{1, 2, 3, 4, 5};
const matrix x{{1, 2, 3}, {4, 5, 6}};
const cube numbers{{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9, 10}, {11, 12}}};

}  // namespace

BOOST_AUTO_TEST_CASE(cumulative_sums) {
  BOOST_TEST((cumsum<0>(w)(w = v) == vector{1, 3, 6, 10, 15}));         // np.cumsum(v)
  BOOST_TEST((cumsum<0>(X)(X = x) == matrix{{1, 2, 3}, {5, 7, 9}}));    // np.cumsum(x, 0)
  BOOST_TEST((cumsum<-1>(X)(X = x) == matrix{{1, 3, 6}, {4, 9, 15}}));  // np.cumsum(x, 1)
  // np.cumsum(c, 1)
  BOOST_TEST((cumsum<1>(X)(X = numbers) == cube{{{1, 2}, {4, 6}, {9, 12}}, {{7, 8}, {16, 18}, {27, 30}}}));
  // A column-major matrix, whose axes lie the other way round.
  const xt::xtensor<double, 2, xt::layout_type::column_major> columns = x;
  BOOST_TEST((cumsum<0>(X)(X = columns) == matrix{{1, 2, 3}, {5, 7, 9}}));
  BOOST_TEST((cumsum<1>(X)(X = columns) == matrix{{1, 3, 6}, {4, 9, 15}}));
  // The transpose sums from the last on.
  const vector u{1, 10, 100, 1000, 10000};
  BOOST_TEST((gradient(dot(cumsum<0>(w), t), wrt(w))(w = v, t = u)[w] == vector{11111, 11110, 11100, 11000, 10000}));
  // Long rows, with the axis inside and outside.
  matrix many = matrix::from_shape({37, 41});
  randomise(many, 5);
  const matrix down = cumsum<0>(X)(X = many), across = cumsum<1>(X)(X = many);
  for (std::size_t i = 0; i < 37; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 41; ++j) {
      BOOST_TEST(across(i, j) == (sum += many(i, j)));
      BOOST_TEST(down(i, j) == (i ? down(i - 1, j) : 0.0) + many(i, j));
    }
  }
}

BOOST_AUTO_TEST_CASE(cumulative_products) {
  BOOST_TEST((cumprod<0>(w)(w = v) == vector{1, 2, 6, 24, 120}));         // np.cumprod(v)
  BOOST_TEST((cumprod<1>(X)(X = x) == matrix{{1, 2, 6}, {4, 20, 120}}));  // np.cumprod(x, 1)
  BOOST_TEST((cumprod<-2>(X)(X = x) == matrix{{1, 2, 3}, {4, 10, 18}}));  // np.cumprod(x, 0)
  // a + a b + a b c + a b c d, where the second and the fourth are 0: by a 1 + b + b c + b c d, by b a + a c + a c d,
  // by c a b + a b d, by d a b c.
  const vector zeros{2, 0, 3, 0};
  const auto step = value_and_hessian(sum(cumprod<0>(w)));
  const auto h = step(w = zeros);
  BOOST_TEST(h.value == 2.0);
  BOOST_TEST((h.gradient[w] == vector{1, 8, 0, 0}));
  BOOST_TEST((h.hessian(w, w) == matrix{{0, 4, 0, 0}, {4, 0, 2, 6}, {0, 2, 0, 0}, {0, 6, 0, 0}}));
}

// Conditions move along: what follows only from what is not chosen stays out, infinite slopes too.
BOOST_AUTO_TEST_CASE(branches_not_chosen) {
  const vector squares{4, 0, 9, 0}, chosen{1, -1, -1, -1}, ones{1, 0, 0, 0};
  const auto first = sum(where(t > 0, cumsum<0>(sqrt(w)), 0));
  BOOST_TEST((gradient(first, wrt(w))(w = squares, t = chosen)[w] == vector{0.25, 0, 0, 0}));
  BOOST_TEST(jvp(first, tangent(w = ones))(w = squares, t = chosen) == 0.25);
  const auto turned = sum(where(t > 0, cumsum<0>(flip<0>(roll<0>(sqrt(w), -1))), 0));
  // Turned: 4, 0, 9, 0 again.
  BOOST_TEST((gradient(turned, wrt(w))(w = squares, t = chosen)[w] == vector{0.25, 0, 0, 0}));
}

BOOST_AUTO_TEST_CASE(variances) {
  constexpr double tolerance = 1e-15;
  const auto is = [](double computed, double expected) { BOOST_TEST(std::abs(computed - expected) <= tolerance * 3); };
  is(var(w)(w = v), 2);                     // np.var(v)
  is(var(X)(X = x), 2.9166666666666665);    // np.var(x)
  is(stddev(X)(X = x), 1.707825127659933);  // np.std(x)
  const vector columns = var<0>(X)(X = x), roots = stddev<0>(X)(X = x);
  const matrix rows = var<1>(X, keep_dims)(X = x);
  for (const double each : columns) is(each, 2.25);             // np.var(x, axis=0)
  for (const double each : roots) is(each, 1.5);                // np.std(x, axis=0)
  for (const double each : rows) is(each, 0.6666666666666666);  // np.var(x, axis=1, keepdims=True)
  BOOST_TEST(rows.shape(1) == 1u);
  is(var(X, keep_dims)(X = x)(0, 0), 2.9166666666666665);
  is(var<0, 2>(X)(X = numbers)(1), 9.25);  // np.var(c, axis=(0, 2))
  // 2 (x - mean) / n, and of equal elements 0.
  const auto g = gradient(var(w))(w = v);
  for (std::size_t i = 0; i < 5; ++i) nearly(g[w](i), 0.4 * (v(i) - 3), "derivative");
  const vector equal{3, 3, 3};
  BOOST_TEST((gradient(stddev(w))(w = equal)[w] == vector{0, 0, 0}));
  // Digits do not cancel: 1e8 and neighbours.
  const vector far{1e8 - 1, 1e8, 1e8 + 1};
  is(var(w)(w = far), 2 / 3.0);
  const vector none = vector::from_shape({0}), one{7};
  BOOST_TEST(std::isnan(var(w)(w = none)));
  BOOST_TEST(var(w)(w = one) == 0.0);
  const std::array<double, 1> fixed{7};
  BOOST_TEST(stddev(w)(w = fixed) == 0.0);
}

BOOST_AUTO_TEST_CASE(sums_of_products) {
  constexpr auto A = variable<"A">;
  constexpr auto B = variable<"B">;
  constexpr auto E = variable<"E">;
  const matrix a{{1, 2}, {3, 4}}, b{{0, 1, 2}, {3, 4, 5}}, e{{1, 0}, {2, 1}, {0, 3}};
  const vector p{1, 2}, q{1, 0, 3}, s{1, 3};
  // np.einsum('ij,jk,kl->il', a, b, e)
  BOOST_TEST((einsum<"ij,jk,kl->il">(A, B, E)(A = a, B = b, E = e) == matrix{{24, 45}, {50, 97}}));
  BOOST_TEST((einsum<"ij->j">(B)(B = b) == vector{3, 5, 7}));                  // np.einsum('ij->j', b)
  BOOST_TEST((einsum<"ij->ji">(B)(B = b) == matrix{{0, 3}, {1, 4}, {2, 5}}));  // np.einsum('ij->ji', b)
  BOOST_TEST(einsum<"ij->">(B)(B = b) == 15.0);
  BOOST_TEST(einsum<"ij,i,j->">(B, w, t)(B = b, w = p, t = q) == 42.0);  // np.einsum('ij,i,j->', b, p, q)
  // np.einsum('i,ij,ik,i->jk', p, b, a, s)
  BOOST_TEST(
      (einsum<"i,ij,ik,i->jk">(w, B, A, t)(w = p, B = b, A = a, t = s) == matrix{{54, 72}, {73, 98}, {92, 124}}));
  // Seven letters in all, six at a time at most.
  BOOST_TEST((einsum<"ab,bc,cd,de,ef,fg->ag">(A, A, A, A, A, A)(A = a) == matrix{{5743, 8370}, {12555, 18298}}));
  // By the middle one: a' u e', with all ones for u.
  BOOST_TEST((gradient(sum(einsum<"ij,jk,kl->il">(A, B, E)), wrt(B))(A = a, B = b, E = e)[B] ==
              matrix{{4, 12, 12}, {6, 18, 18}}));
  constexpr auto energy = [](const auto& m, const auto& u) { return einsum<"i,ij,j->">(u, m, u); };
  BOOST_TEST((gradient(energy, wrt<1>)(a, p) == vector{2 + 10, 5 + 16}));
  const vector wrong{1, 2, 3, 4};
  BOOST_CHECK_THROW((einsum<"ij,i,j->">(B, w, t)(B = b, w = p, t = wrong)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(derivatives) {
  const data at(5, 4);
  const auto everything = 0.1 * sum(X * X * w * w) + sum(t) * c;
  check_derivatives("cumsum", everything + sum(sin(cumsum<1>(X * w)) * X) + sum(square(cumsum<0>(w)) * w), at);
  check_derivatives("cumprod", everything + 0.1 * sum(cumprod<0>(X * w) * X) + sum(cumprod<0>(sin(w))), at);
  check_derivatives("var", everything + sum(var<0>(X * w) * w) + sum(stddev<1>(X * w)) + var(X), at);
  check_derivatives("einsum", everything + einsum<"i,ij,j,j->">(t, X, w, w), at);
}

// No elements, one, and one that is broadcast, where only the call tells.
BOOST_AUTO_TEST_CASE(few_elements) {
  const vector none = vector::from_shape({0}), one{2};
  const auto all = cumsum<0>(w) + cumprod<0>(w) * t;
  BOOST_TEST(all(w = none, t = none).size() == 0u);
  BOOST_TEST((all(w = one, t = one) == vector{6}));
  BOOST_TEST((all(w = v, t = one) == vector{3, 7, 18, 58, 255}));
  // One element, whose sum and product are broadcast.
  BOOST_TEST((all(w = one, t = v) == vector{4, 6, 8, 10, 12}));
  BOOST_TEST((gradient(sum(all), wrt(w))(w = one, t = v)[w] == vector{5 + 15}));
  const std::array<double, 1> fixed{2};
  BOOST_TEST((cumprod<0>(w)(w = fixed) == vector{2}));
  BOOST_TEST((cumsum<0>(w)(w = fixed) == vector{2}));
}

BOOST_AUTO_TEST_CASE(into_existing_results) {
  const auto step = value_and_gradient(sum(square(cumsum<0>(w))) + sum(cumprod<0>(w)) + 5 * var(w));
  auto r = step(w = v);
  step(into(r), w = v);
  tapeless_test::allocations = 0;
  step(into(r), w = v);
  BOOST_TEST(tapeless_test::allocations == 0u);
  nearly(r.value, 1 + 9 + 36 + 100 + 225 + 153 + 10, "value");
  // Twice the sums from the last on, the products without the first, and 2 (1 - 3).
  nearly(r.gradient[w](0), 2 * 35 + 153 - 4, "derivative");
  // The result is what is bound.
  const auto doubled = gradient(0.5 * dot(cumsum<0>(w), cumsum<0>(w)))(w = v);
  auto g = value_and_gradient(0.5 * dot(cumsum<0>(w), cumsum<0>(w)))(w = v);
  const vector before = g.gradient[w];
  BOOST_TEST((before == vector{35, 34, 31, 25, 15}));
  BOOST_TEST((doubled[w] == before));
  value_and_gradient(0.5 * dot(cumsum<0>(w), cumsum<0>(w)))(into(g), w = g.gradient[w]);
  // The sums of these are 35, 69, 100, 125, 140.
  BOOST_TEST((g.gradient[w] == vector{469, 434, 365, 265, 140}));
}
