// The other verbs over tensors: Hessians and pullbacks against closed forms, results that lie where something bound
// does.
#include "check.hpp"

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
