// The other verbs over tensors: Hessians and pullbacks against closed forms, results that lie where something bound
// does.
#include "check.hpp"

#include <array>
#include <span>
#include <stdexcept>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

const matrix x{{1, 2, 3}, {4, 5, 7}};
const vector weights{1, 2, 3};

}  // namespace

BOOST_AUTO_TEST_CASE(hessians) {
  // sum((X w + c)^2) + c sum(w^3): 2 X^T X + 6 c diag(w); 2 X^T 1 + 3 w^2; 2 rows.
  const auto f = sum(square(dot(X, w) + c)) + sum(w * w * w) * c;
  const auto h = hessian(f, wrt(w, c))(X = x, w = weights, c = 0.5);
  BOOST_TEST((h(w, w) == matrix{{37, 44, 62}, {44, 64, 82}, {62, 82, 125}}));
  BOOST_TEST((h(w, c) == vector{13, 26, 47}));
  BOOST_TEST((h(c, w) == vector{13, 26, 47}));
  BOOST_TEST(h(c, c) == 4.0);

  const auto cubes = hessian(sum(X * X * X) + sum(stop_gradient(w)), wrt(X, w))(X = x, w = weights);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t l = 0; l < 3; ++l)
          BOOST_TEST(cubes(X, X)(i, j, k, l) == (i == k && j == l ? 6 * x(i, j) : 0.0));
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(cubes(X, w))>, Zero>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(cubes(w, w))>, Zero>);
}

BOOST_AUTO_TEST_CASE(blocks_without_elements) {
  const vector none = vector::from_shape({0});
  const auto slopes = jacobian(square(w) * sum(c * t), wrt(t));
  auto j = slopes(w = weights, c = 2.0, t = weights);
  BOOST_TEST((j(0, t) == matrix{{2, 2, 2}, {8, 8, 8}, {18, 18, 18}}));
  slopes(into(j), w = weights, c = 2.0, t = none);
  BOOST_TEST((j(0, t).shape() == std::array<std::size_t, 2>{3, 0}));

  // Blocks that are zero by structure have the shapes of their variables too.
  const vector three{1, 2, 3};
  const auto zeros = hessian(sum(w) + sum(t * t), wrt(w, t), unconnected::materialise)(w = weights, t = three);
  BOOST_TEST((zeros(w, w) == xt::zeros<double>({weights.size(), weights.size()})));
  BOOST_TEST((zeros(w, t) == xt::zeros<double>({weights.size(), three.size()})));
  BOOST_TEST((zeros(t, w) == xt::zeros<double>({three.size(), weights.size()})));
  // What does not fit throws before the block is written, whatever its extents.
  const auto curvature = hessian(sum(square(t)) + sum(t * w), wrt(t));
  auto h = curvature(w = weights, t = weights);
  BOOST_CHECK_THROW(curvature(into(h), w = weights, t = none), std::invalid_argument);
  BOOST_TEST((h(t, t) == matrix{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}));
}

BOOST_AUTO_TEST_CASE(tangents_of_two_tensors) {
  // A function has more tangents than outputs, of their rank: a b along (u, v) is u b + a v.
  constexpr auto product = [](const auto& a, const auto& b) { return a * b; };
  const vector a{1, 2, 3}, b{4, 5, 6}, u{1, 0, -1}, v{2, 1, 0};
  BOOST_TEST((jvp(product, tangent(u, v))(a, b) == vector{6, 2, -6}));
}

BOOST_AUTO_TEST_CASE(pullbacks) {
  // (X w)^2 + c with cotangents u: 2 X^T (u X w), sum(u).
  const vector u{2, -1};
  const auto g = vjp(square(dot(X, w)) + c, wrt(w, c), cotangent(u))(X = x, w = weights, c = 0.5);
  BOOST_TEST((g[w] == vector{-224, -238, -322}));
  BOOST_TEST(g[c] == 1.0);
}

BOOST_AUTO_TEST_CASE(result_where_something_bound_lies) {
  const auto step = value_and_gradient(sum(square(dot(X, w))) + sum(w * w * w), wrt(w, X));
  auto r = step(X = x, w = weights);
  const vector before = r.gradient[w];
  const auto expected = step(X = x, w = before);
  const double* const place = r.gradient[w].data();
  step(into(r), X = x, w = r.gradient[w]);
  BOOST_TEST(r.value == expected.value);
  BOOST_TEST((r.gradient[w] == expected.gradient[w]));
  BOOST_TEST((r.gradient[X] == expected.gradient[X]));
  BOOST_TEST(r.gradient[w].data() == place);
  // A view of the result's memory.
  const matrix old = r.gradient[X];
  const auto apart = step(X = old, w = weights);
  const auto view = xt::view(r.gradient[X], xt::all(), xt::all());
  step(into(r), X = view, w = weights);
  BOOST_TEST((r.gradient[X] == apart.gradient[X]));
}

BOOST_AUTO_TEST_CASE(value_where_something_bound_lies) {
  // The square of 3 (4 + 1), then with the value 225 in the place of 3.
  const auto step = value_and_gradient(square(sum(w * t)), wrt(w, t));
  const double three = 3;
  const vector both{4, 1};
  auto r = step(w = std::span(&three, 1), t = both);
  BOOST_TEST(r.value == 225.0);
  step(into(r), w = std::span<const double>(&r.value, 1), t = both);
  BOOST_TEST(r.value == 1265625.0);
  BOOST_TEST(r.gradient[w][0] == 11250.0);
  BOOST_TEST((r.gradient[t] == vector{506250, 506250}));
}

BOOST_AUTO_TEST_CASE(matrices_where_something_bound_lies) {
  // Of (w w)^2 it is 8 w w' + 4 (w w) I: of 1, 2, then of its own first row.
  const auto curvature = hessian(square(sum(w * w)), wrt(w));
  const vector start{1, 2}, both{4, 1};
  auto h = curvature(w = start);
  BOOST_TEST((h(w, w) == xt::xtensor<double, 2>{{28, 16}, {16, 52}}));
  curvature(into(h), w = xt::row(h(w, w), 0));
  BOOST_TEST((h(w, w) == xt::xtensor<double, 2>{{10432, 3584}, {3584, 6208}}));
  // The square of 3 (4 + 1), then with the value 225 in the place of 3.
  const auto all = value_and_hessian(square(sum(w * t)), wrt(w, t));
  const double three = 3;
  auto r = all(w = std::span(&three, 1), t = both);
  all(into(r), w = std::span<const double>(&r.value, 1), t = both);
  BOOST_TEST(r.value == 1265625.0);
  BOOST_TEST((r.gradient[t] == vector{506250, 506250}));
  BOOST_TEST(r.hessian(w, w)(0, 0) == 50.0);
  BOOST_TEST((r.hessian(t, t) == xt::xtensor<double, 2>{{101250, 101250}, {101250, 101250}}));
}

BOOST_AUTO_TEST_CASE(arrays_where_something_bound_lies) {
  // a b + a, and by b: a.
  const auto step = batched(value_and_gradient(w * t + w, wrt(w, t)));
  const std::vector<double> one{3}, five{1, 2, 3, 4, 5};
  // The value is made longer while it is bound.
  auto r = step(w = one, t = one);
  step(into(r), w = r.value, t = five);
  BOOST_TEST(r.value == (std::vector<double>{24, 36, 48, 60, 72}), boost::test_tools::per_element());
  BOOST_TEST(r.gradient[t] == std::vector<double>(5, 12.0), boost::test_tools::per_element());
  // Two derivatives change places.
  step(into(r), w = r.gradient[w], t = r.gradient[t]);
  BOOST_TEST(r.gradient[w] == std::vector<double>(5, 13.0), boost::test_tools::per_element());
  BOOST_TEST(r.gradient[t] == (std::vector<double>{2, 3, 4, 5, 6}), boost::test_tools::per_element());
  // One that is read backwards, in the same place afterwards.
  const double* const place = r.value.data();
  r.value = {1, 2, 3, 4, 5};
  const auto forwards = xt::adapt(r.value);
  const auto backwards = xt::view(forwards, xt::range(xt::placeholders::_, xt::placeholders::_, -1));
  auto reversed = step(w = backwards, t = five);
  reversed.value = vector{1, 2, 3, 4, 5};
  const auto of_result = xt::view(reversed.value, xt::range(xt::placeholders::_, xt::placeholders::_, -1));
  step(into(reversed), w = of_result, t = five);
  BOOST_TEST((reversed.value == vector{10, 12, 12, 10, 6}));
  BOOST_TEST(r.value.data() == place);

  // The same of functions: of an array, of a number that is read through a reference, of structures.
  const auto of_function = batched(value_and_gradient([](auto a, auto b) { return a * b + a; }));
  auto f = of_function(one, one);
  of_function(into(f), f.value, five);
  BOOST_TEST(f.value == (std::vector<double>{24, 36, 48, 60, 72}), boost::test_tools::per_element());
  of_function(into(f), f.value[1], std::vector<double>(600, 1.0));
  BOOST_TEST(f.value == std::vector<double>(600, 72.0), boost::test_tools::per_element());
  const auto swap = batched([](const auto& p, auto b) { return std::array{p[1] * b, p[0]}; });
  std::vector<std::array<double, 2>> points{{3, 7}};
  swap(into(points), points, five);
  for (std::size_t i = 0; i < 5; ++i)
    BOOST_TEST(points[i] == (std::array{7 * five[i], 3.0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(zero_by_structure_is_a_number) {
  const auto g = gradient(sum(w * w) + stop_gradient(sum(t)), wrt(w, t))(w = weights, t = weights);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(g[t])>, Zero>);
  // Along (2 w, 0): of w^3 t, 6 w t 2 w and 3 w^2 2 w; of w^2 t, 2 w t 2 w.
  const auto p = hvp(sum(w * w * w * t), wrt(w, t), tangent(w = g[w], t = g[t]))(w = weights, t = weights);
  BOOST_TEST((p[w] == vector{12, 96, 324}));
  BOOST_TEST((p[t] == vector{6, 48, 162}));
  BOOST_TEST(jvp(sum(w * w * t), tangent(w = g[w], t = g[t]))(w = weights, t = weights) == 144.0);
  BOOST_TEST(jvp(sum(w * w * t), tangent(t = g[t]))(w = weights, t = weights) == 0.0);
  // For values, 0 for all elements.
  BOOST_TEST(sum(w * t + 1)(w = weights, t = g[t]) == 3.0);
  BOOST_TEST((batched(w * t + 1)(w = weights, t = g[t]) == vector{1, 1, 1}));
}
