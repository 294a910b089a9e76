// Elements in increasing order: values as NumPy's sort gives them, with x = [[3, 1, 2], [0, 5, 4]]; derivatives against
// closed forms and differences; ties, NaN, extents 0 and 1, loops, batches, and what does not fit.
#include "check.hpp"

#include <tapeless/sort.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

using namespace tapeless;
using tapeless_test::matrix, tapeless_test::vector;
using tapeless_test::X, tapeless_test::w, tapeless_test::t, tapeless_test::c;

namespace {

using cube = xt::xtensor<double, 3>;
const matrix x{{3, 1, 2}, {0, 5, 4}};
const vector v{3, 1, 2};

}  // namespace

BOOST_AUTO_TEST_CASE(along_axes) {
  BOOST_TEST((sort(w)(w = v) == vector{1, 2, 3}));
  BOOST_TEST((sort(X)(X = x) == matrix{{1, 2, 3}, {0, 4, 5}}));     // np.sort(x)
  BOOST_TEST((sort<0>(X)(X = x) == matrix{{0, 1, 2}, {3, 5, 4}}));  // np.sort(x, 0)
  BOOST_TEST((sort<-2>(X)(X = x) == matrix{{0, 1, 2}, {3, 5, 4}}));
  const cube numbers{{{6, 1}, {2, 5}, {4, 3}}, {{0, 7}, {9, 8}, {1, 2}}};
  // np.sort(numbers, 1)
  BOOST_TEST((sort<1>(X)(X = numbers) == cube{{{2, 1}, {4, 3}, {6, 5}}, {{0, 2}, {1, 7}, {9, 8}}}));
  BOOST_TEST((sort<0>(X)(X = numbers) == cube{{{0, 1}, {2, 5}, {1, 2}}, {{6, 7}, {9, 8}, {4, 3}}}));
  BOOST_TEST((sort(transpose(X))(X = x) == matrix{{0, 3}, {1, 5}, {2, 4}}));
  BOOST_TEST((top_k(X, 2)(X = x) == matrix{{3, 2}, {5, 4}}));  // lax.top_k(x, 2)[0]
  BOOST_TEST((top_k<0>(X, 1)(X = x) == matrix{{3, 5, 4}}));
  const xt::xtensor<float, 1> single{2, -1, 0.5f};
  BOOST_TEST((sort(w)(w = single) == xt::xtensor<float, 1>{-1, 0.5f, 2}));
  const xt::xtensor<long double, 1> wide{2, -1, std::numeric_limits<long double>::quiet_NaN(), 0.5};
  BOOST_TEST((slice<0>(sort(w), 0, 3)(w = wide) == xt::xtensor<long double, 1>{-1, 0.5, 2}));
}

BOOST_AUTO_TEST_CASE(derivatives_go_where_elements_come_from) {
  const vector factors{1, 10, 100};
  BOOST_TEST((gradient(dot(sort(w), t), wrt(w))(w = v, t = factors)[w] == vector{100, 1, 10}));
  BOOST_TEST(
      (gradient(sum(square(top_k<0>(X, 1)) * t), wrt(X))(X = x, t = factors)[X] == matrix{{6, 0, 0}, {0, 100, 800}}));
  // The sum of factors[i] a[i]^3 in the order of a.
  const auto cubes = [](const auto& a, const auto& f) { return sum(f * sort(square(a)) * sort(a)); };
  BOOST_TEST((hvp(cubes, tangent(v), wrt<0>)(v, factors) == vector{5400, 6, 240}));
  BOOST_TEST(jvp(cubes, tangent(v), wrt<0>)(v, factors) == 3 * (2700 + 1 + 80));
  const auto rows = jacobian([](const auto& a) { return sort(a); })(v);
  BOOST_TEST((rows == matrix{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}));
  tapeless_test::data at(5, 3);
  tapeless_test::check_derivatives(
      "sort", sum(sin(sort<0>(X * w)) * X) + sum(square(sort(t)) * t) * c + dot(sort(w * c), cumsum<0>(w)), at);
  BOOST_TEST((gradient(sum(sort(stop_gradient(w)) * w))(w = v)[w] == vector{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(equal_elements_and_nan) {
  const vector equal{2, 1, 2, 1}, factors{1, 2, 3, 4};
  BOOST_TEST((gradient(dot(sort(w), t), wrt(w))(w = equal, t = factors)[w] == vector{3, 1, 4, 2}));
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const vector odd{nan, infinity, -nan, 1, -infinity};
  const vector sorted = sort(w)(w = odd);
  BOOST_TEST(sorted(0) == -infinity);
  BOOST_TEST(sorted(1) == 1);
  BOOST_TEST(sorted(2) == infinity);
  BOOST_TEST((std::isnan(sorted(3)) && std::isnan(sorted(4))));
  const vector five{1, 2, 3, 4, 5};
  BOOST_TEST((gradient(dot(sort(w), t), wrt(w))(w = odd, t = five)[w] == vector{4, 3, 5, 2, 1}));
}

BOOST_AUTO_TEST_CASE(any_extent) {
  const vector none = vector::from_shape({0}), one{7};
  BOOST_TEST((sort(w)(w = none).size() == 0u));
  BOOST_TEST((sort(w)(w = one) == one));
  const matrix empty = xt::zeros<double>({0, 3}), column{{3}, {1}};
  BOOST_TEST((sort<0>(X)(X = empty) == empty));
  BOOST_TEST((sort<1>(X)(X = empty) == empty));
  BOOST_TEST((sort<0>(X)(X = column) == matrix{{1}, {3}}));
  BOOST_TEST((sort<1>(X)(X = column) == column));
  BOOST_CHECK_THROW(top_k(w, 4)(w = v), std::out_of_range);
  vector many = xt::zeros<double>({1000});
  tapeless_test::randomise(many, 5);
  vector expected = many;
  std::sort(expected.begin(), expected.end());
  BOOST_TEST((sort(w)(w = many) == expected));
}

BOOST_AUTO_TEST_CASE(inside_loops_and_batches) {
  const auto carried = [](const auto& u, const auto& rows) {
    return dot(scan([](const auto& carry, const auto& row) { return sort(carry + row) * 0.5; }, u, rows), u);
  };
  // ((u + x0) sorted / 2 + x1) sorted / 2 with u = (3, 1, 2): (1, 2, 3), then (1, 7, 7) / 2 with the second before the
  // third, (0.5, 3.5, 3.5).
  const auto found = value_and_gradient(carried, wrt<0>)(v, x);
  BOOST_TEST(found.value == 0.5 * 3 + 3.5 * 1 + 3.5 * 2);
  // Of u: the result, and u through the order of both steps (element 0 ends as the last of the second, ...).
  BOOST_TEST((found.gradient == vector{0.5 + 0.25 * 2, 3.5 + 0.25 * 3, 3.5 + 0.25 * 1}));

  const auto loss = [](const auto& u, const auto& e) { return dot(sort(e), u); };
  const auto all = batched(gradient(loss))(v, each(x));
  BOOST_TEST((std::get<0>(all) == matrix{{1, 2, 3}, {0, 4, 5}}));
  BOOST_TEST((std::get<1>(all) == matrix{{2, 3, 1}, {3, 2, 1}}));
}
