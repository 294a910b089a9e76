// Moves of elements: derivatives against differences, values, and what does not fit.
#include "check.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

constexpr auto k = variable<"k">;

template <class Call>
void throws(Call call, const std::string& expected) {
  BOOST_CHECK_EXCEPTION(call(), std::exception, [&](const std::exception& e) {
    return std::string(e.what()).find(expected) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(derivatives) {
  const data at(6, 4);
  const auto everything = 0.1 * sum(X * X * w * w) + sum(t) * c;
  check_derivatives("slice", everything + sum(sin(slice<0>(X, 1, 4) * w)) + sum(slice<0>(w, 1, -1) * slice<0>(w, 0, 2)),
                    at);
  check_derivatives("concatenate",
                    everything + sum(square(concatenate<0>(w, sin(w), w * 2.0)) * concatenate<0>(w, w, w)), at);
  check_derivatives("reshape", everything + 0.1 * sum(dot(reshape<4, 6>(X * w), reshape<6, 4>(exp(X)))), at);
}

// A path through a branch that is not chosen is no term of a derivative, wherever its elements are moved: the infinite
// slope of the root at 0 meets no zero.
BOOST_AUTO_TEST_CASE(branches_not_chosen) {
  const vector v{-1, 4, -2}, squares{0, 4, 9}, ones{1, 1, 1}, signs{-1, 1, 2};
  const std::vector<int> chosen{0, 1, 1};
  const auto tangents = [&](const auto& f) { return jvp(f, tangent(w = ones))(w = v); };
  BOOST_TEST(tangents(sum(sqrt(slice<0>(relu(w), 0, 2)))) == 0.25);
  BOOST_TEST(tangents(sum(sqrt(concatenate<0>(relu(w), square(w))))) == 0.25 - 1 + 1 - 1);
  BOOST_TEST(jvp(sum(sqrt(take(relu(w), k))), tangent(w = ones))(w = v, k = chosen) == 0.5);

  const auto slopes = [&](const auto& f) { return gradient(sum(f), wrt(w))(w = squares, t = signs)[w]; };
  BOOST_TEST((slopes(where(slice<0>(t, 0, 2) > 0, slice<0>(sqrt(w), 0, 2), 0)) == vector{0, 0.25, 0}));
  BOOST_TEST(
      (slopes(where(t > 0, concatenate<0>(slice<0>(sqrt(w), 0, 2), slice<0>(w, 2, 3)), 0)) == vector{0, 0.25, 1}));
  BOOST_TEST((gradient(sum(where(t > 0, take(sqrt(w), k), 0)), wrt(w))(w = squares, t = signs, k = chosen)[w] ==
              vector{0, 0.5, 0}));
  // The condition lacks an axis of what is moved.
  const matrix x{{0, 4, 9}, {0, 1, 16}};
  const auto g = gradient(sum(where(t > 0, reshape<2, 3>(sqrt(X)), 0)), wrt(X))(X = x, t = signs);
  BOOST_TEST((g[X] == matrix{{0, 0.25, 1 / 6.0}, {0, 0.5, 0.125}}));
}

BOOST_AUTO_TEST_CASE(values) {
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  const vector v{1, 2, 3};
  const std::vector<int> chosen{2, 0, 2};
  BOOST_TEST((slice<1>(X, 1, 3)(X = x) == matrix{{2, 3}, {5, 6}}));
  BOOST_TEST((slice<0>(w, -2, 3)(w = v) == vector{2, 3}));
  BOOST_TEST((take<1>(X, k)(X = x, k = chosen) == matrix{{3, 1, 3}, {6, 4, 6}}));
  BOOST_TEST((reshape<3, -1>(X)(X = x) == matrix{{1, 2}, {3, 4}, {5, 6}}));
  BOOST_TEST((concatenate<0>(w, w)(w = v) == vector{1, 2, 3, 1, 2, 3}));
  BOOST_TEST((stack<0>(w, w * w)(w = v) == matrix{{1, 2, 3}, {1, 4, 9}}));
  BOOST_TEST((one_hot(k, 3)(k = chosen) == matrix{{0, 0, 1}, {1, 0, 0}, {0, 0, 1}}));
  // An index that occurs twice gets both derivatives.
  const auto g = gradient(sum(take(w, k)), wrt(w))(w = v, k = chosen);
  BOOST_TEST((g[w] == vector{1, 0, 2}));
  // What is joined to a tangent and has none is 0 there: 2 (1 + 2 + 3).
  const vector ones{1, 1, 1};
  BOOST_TEST(jvp(sum(square(concatenate<0>(w, stop_gradient(w)))), tangent(w = ones))(w = v) == 12.0);
}

// The axis of the indices is another than those of what they choose from, whatever they are computed from.
BOOST_AUTO_TEST_CASE(indices_with_an_axis_of_the_tensor) {
  const matrix x{{1, 5, 9}, {4, 2, 6}, {7, 8, 3}}, row{{1, 2, 3}};
  const std::vector<int> chosen{2, 0, 2, 1};
  const auto rows_of_largest = take<0>(X, argmax<0>(X));
  BOOST_TEST((rows_of_largest(X = x) == matrix{{7, 8, 3}, {7, 8, 3}, {1, 5, 9}}));
  BOOST_TEST(((rows_of_largest + transpose(rows_of_largest))(X = x) == matrix{{14, 15, 4}, {15, 16, 8}, {4, 8, 18}}));
  BOOST_TEST((take<1>(X, argmax<1>(X))(X = x) == matrix{{9, 9, 5}, {6, 6, 2}, {3, 3, 8}}));

  // Rows and columns by the same indices.
  const auto part = take<1>(take<0>(X, k), k);
  BOOST_TEST((part(X = x, k = chosen) == matrix{{3, 7, 3, 8}, {9, 1, 9, 5}, {3, 7, 3, 8}, {6, 4, 6, 2}}));
  constexpr auto sum_of_part = [](const auto& a, const auto& i) { return sum(take<1>(take<0>(a, i), i)); };
  BOOST_TEST((gradient(sum_of_part, wrt<0>)(x, chosen) == matrix{{1, 1, 2}, {1, 1, 2}, {2, 2, 4}}));

  // One row is broadcast, and computed with by itself: array by array.
  constexpr auto of_product = [](const auto& a, const auto& b) {
    const auto scaled = a * b;
    return take<0>(scaled, argmax<0>(scaled)) + 0 * (sum(a) + sum(b));
  };
  BOOST_TEST((value(of_product)(x, row) == matrix{{7, 16, 9}, {7, 16, 9}, {1, 10, 27}}));
}

// Elements are taken from shifted tensors and put back into gradients, one of them twice.
BOOST_AUTO_TEST_CASE(taken_and_put_back) {
  const auto shifted = w - stop_gradient(amax(w));
  const auto cross_entropy = value_and_gradient(log(sum(exp(shifted))) - sum(take(shifted, k)), wrt(w));
  const std::vector<int> chosen{2, -1, 2};
  for (const std::size_t n : {5u, 40u, 20000u}) {
    const data at(1, n);
    const auto count = [&](std::size_t i) { return i == 2 ? 2.0 : i + 1 == n ? 1.0 : 0.0; };
    const auto check = [&](const auto& r, const vector& x) {
      double total = 0, taken = 0, largest = x(0);
      for (std::size_t i = 0; i < n; ++i)
        total += std::exp(x(i)), taken += count(i) * x(i), largest = std::max(largest, x(i));
      nearly(r.value, std::log(total) - taken + 2 * largest, "value");
      for (std::size_t i = 0; i < n; ++i) nearly(r.gradient[w](i), std::exp(x(i)) / total - count(i), "gradient");
    };
    auto r = cross_entropy(w = at.weights, k = chosen);
    check(r, at.weights);
    // The result is what is bound.
    const vector before = r.gradient[w];
    cross_entropy(into(r), w = r.gradient[w], k = chosen);
    check(r, before);
    const auto g = gradient(0.5 * sum(w * w) + sum(take(w, k)), wrt(w))(w = at.weights, k = chosen);
    for (std::size_t i = 0; i < n; ++i) nearly(g[w](i), at.weights(i) + count(i), "by a variable");
  }
  const vector v{1, 2, 3};
  const std::vector<int> turned{2, 0, 1};
  const auto product = value_and_gradient(sum(exp(w) * take(w, k)), wrt(w))(w = v, k = turned);
  nearly(product.value, std::exp(1) * 3 + std::exp(2) * 1 + std::exp(3) * 2, "permuted");
  nearly(product.gradient[w](0), std::exp(1) * 3 + std::exp(2), "permuted");
  nearly(product.gradient[w](2), std::exp(3) * 2 + std::exp(1), "permuted");

  const data at(4, 3);
  const auto columns =
      gradient(sum(square(take<1>(X - expand_dims<1>(t), k))), wrt(X, t))(X = at.x, t = at.targets, k = chosen);
  for (std::size_t i = 0; i < 4; ++i) {
    const double last = 6 * (at.x(i, 2) - at.targets(i));
    nearly(columns[X](i, 2), last, "columns");
    BOOST_TEST(columns[X](i, 0) == 0.0);
    nearly(columns[t](i), -last, "columns");
  }
}

BOOST_AUTO_TEST_CASE(small_matrices) {
  // The derivative of log |det A| is the transpose of the inverse; of each block, in a loop.
  const matrix a{{2, 0, 1}, {0, 3, 0}, {1, 0, 4}}, b{{1, 2, 0}, {0, 1, 0}, {0, 0, 5}};
  const xt::xtensor<double, 3> both = xt::stack(xt::xtuple(a, b));
  const auto [value, slope] = value_and_gradient(
      [](auto x) { return scan([](auto sum, auto m) { return sum + log(det(as_matrix<3, 3>(m))); }, 0.0, x); })(both);
  BOOST_TEST(std::abs(value - std::log(21.0 * 5.0)) < 1e-14);
  const xt::xtensor<double, 3> inverses{{{4 / 7., 0, -1 / 7.}, {0, 1 / 3., 0}, {-1 / 7., 0, 2 / 7.}},
                                        {{1, 0, 0}, {-2, 1, 0}, {0, 0, 0.2}}};
  BOOST_TEST(xt::amax(xt::abs(slope - inverses))() < 1e-15);
  // And back: A^-1 A is the identity, whose sum has no slope; the elements of a vector in rows.
  const auto [sum_of_identity, none] =
      value_and_gradient([](auto x) { return sum(dot(as_tensor(inverse(as_matrix<3, 3>(x))), x)); })(a);
  BOOST_TEST(std::abs(sum_of_identity - 3) < 1e-15);
  BOOST_TEST(xt::amax(xt::abs(none))() < 1e-14);
  const vector v{1, 2, 3, 4, 5, 6};
  const auto again = tapeless::value([](auto x) { return as_tensor(transpose(as_matrix<2, 3>(x))); })(v);
  BOOST_TEST((again == matrix{{1, 4}, {2, 5}, {3, 6}}));
  // Some elements are constants.
  const auto factor =
      tapeless::value([](auto x) { return as_tensor(cholesky(as_matrix<2, 2>(x))); })(matrix{{4, 2}, {2, 10}});
  BOOST_TEST((factor == matrix{{2, 0}, {1, 3}}));
  throws([&] { return tapeless::value([](auto x) { return det(as_matrix<2, 2>(x)); })(v); }, "6");
}

BOOST_AUTO_TEST_CASE(integers_beyond_the_numbers) {
  // Of a float every second integer is missing here.
  const std::size_t n = (std::size_t{1} << 24) + 5;
  std::vector<float> x(n, 0.5f);
  x[n - 2] = 2;
  const std::vector<float> y{3};
  const std::vector<int> index{static_cast<int>(n) - 2};
  const auto joined = concatenate<0>(w, t)(w = x, t = y);
  BOOST_TEST(joined.size() == n + 1);
  BOOST_TEST(joined(n - 2) == 2);
  BOOST_TEST(joined(n - 1) == 0.5);
  BOOST_TEST(joined(n) == 3);
  const auto part = slice<0>(w, static_cast<int>(n) - 4, static_cast<int>(n) - 1)(w = x);
  BOOST_TEST((part == xt::xtensor<float, 1>{0.5f, 0.5f, 2}));
  BOOST_TEST(take(w, k)(w = x, k = index)(0) == 2);
  throws([&] { return argmax<0>(w)(w = x); }, "argmax or one_hot along an axis of extent 16777221");
  throws([&] { return slice<0>(w, 1.5, 2.7)(w = y); }, "bounds and extents must be integers, not 1.5");
}

BOOST_AUTO_TEST_CASE(extents_of_one) {
  // An extent that the type tells is no axis of the program.
  const vector v{1, 2, 3};
  const std::array<double, 1> one{2};
  BOOST_TEST((logsumexp<0>(expand_dims<0>(w))(w = v) == v));
  BOOST_TEST((softmax<0>(w)(w = one) == vector{1}));
  BOOST_TEST((log_softmax<0>(w)(w = one) == vector{0}));
  BOOST_TEST(logsumexp(sum(w, keep_dims))(w = v) == 6);
  BOOST_TEST((argmax<1>(expand_dims<1>(w))(w = v) == vector{0, 0, 0}));
  BOOST_TEST((prod<0>(expand_dims<0>(w))(w = v) == v));
}

BOOST_AUTO_TEST_CASE(what_does_not_fit) {
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  const vector two{1, 2};
  const std::vector<int> beyond{0, 7};
  throws([&] { return slice<1>(X, 1, 9)(X = x); }, "slice: 1 to 9 is out of range for an axis of extent 3");
  throws([&] { return reshape<4, -1>(X)(X = x); }, "cannot reshape (2, 3) to (4, 1)");
  throws([&] { return take(w, k)(w = two, k = beyond); }, "in k (2) is not valid for an axis of extent 2");
  throws([&] { return sum(X * w)(X = x, w = two); }, "do not broadcast: X (2, 3) and w (2)");
  const vector empty = vector::from_shape({0});
  throws([&] { return amax(w)(w = empty); }, "amax over no elements: w (0)");
  BOOST_TEST(sum(w)(w = empty) == 0.0);
}
