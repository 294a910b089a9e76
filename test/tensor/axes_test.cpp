// Reductions over axes: extents 0 and 1, ties, each layout, special values; values and gradients against loops.
#include "check.hpp"
#include "strided.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

using limits = std::numeric_limits<double>;
constexpr double infinity = limits::infinity();
constexpr double not_a_number = limits::quiet_NaN();

/// The value of all reductions together over some elements, and its derivative by each.
double all_reductions(const std::vector<double>& x, std::vector<double>& slopes) {
  const double n = static_cast<double>(x.size());
  const double largest = *std::max_element(x.begin(), x.end()), smallest = *std::min_element(x.begin(), x.end());
  const double highest = static_cast<double>(std::count(x.begin(), x.end(), largest));
  const double lowest = static_cast<double>(std::count(x.begin(), x.end(), smallest));
  double sum = 0, product = 1, squares = 0, exponentials = 0;
  for (const double e : x) sum += e, product *= e, squares += e * e, exponentials += std::exp(e - largest);
  const double norm = std::sqrt(squares);
  for (std::size_t i = 0; i < x.size(); ++i) {
    double others = 1;
    for (std::size_t k = 0; k < x.size(); ++k) others *= k == i ? 1 : x[k];
    slopes.push_back(2 + 1 / n + others + (x[i] == largest ? 1 / highest : 0) + (x[i] == smallest ? 3 / lowest : 0) +
                     (norm > 0 ? x[i] / norm : 0) + std::exp(x[i] - largest) / exponentials);
  }
  return 2 * sum + sum / n + product + largest + 3 * smallest + norm + largest + std::log(exponentials);
}

/// sum(b * (all reductions of a over `Axes`)), by a and b. Random elements, and small integers with ties and zeros.
template <int... Axes, std::size_t Rank, std::size_t Kept>
void check_reductions(const extents<Rank>& shape, const extents<Kept>& kept) {
  const auto reduced = sum<Axes...>(2 * a) + mean<Axes...>(a) + prod<Axes...>(a) + amax<Axes...>(a) +
                       3 * amin<Axes...>(a) + norm<Axes...>(a) + logsumexp<Axes...>(a);
  const auto step = value_and_gradient(sum(b * reduced), wrt(a, b));
  for (const layout how : layouts)
    for (const bool ties : {false, true}) {
      auto x = strided(shape, how).randomise(3);
      if (ties) x.fill({1, 2, 0, 2, 1, 2, 2});
      const auto weights = strided(kept, how).randomise(4);
      const auto r = step(a = x.tensor(), b = weights.tensor());
      double value = 0;
      for_each_index(kept, [&](const auto& to) {
        const auto is_here = [&](const auto& at) {
          std::size_t next = 0;
          for (std::size_t i = 0; i < Rank; ++i) {
            const bool over = ((Axes == static_cast<int>(i)) || ...);
            if (!over && at[i] != to[next++]) return false;
          }
          return true;
        };
        std::vector<double> elements, slopes;
        for_each_index(shape, [&](const auto& at) {
          if (is_here(at)) elements.push_back(x[at]);
        });
        const double here = all_reductions(elements, slopes);
        value += weights[to] * here;
        nearly(r.gradient[b][to], here, "by b");
        std::size_t next = 0;
        for_each_index(shape, [&](const auto& at) {
          if (is_here(at)) nearly(r.gradient[a][at], weights[to] * slopes[next++], "by a");
        });
      });
      nearly(r.value, value, "value");
    }
}

template <class Call>
void throws(Call call, const std::string& expected) {
  BOOST_CHECK_EXCEPTION(call(), std::exception, [&](const std::exception& e) {
    return std::string(e.what()).find(expected) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(last_axis) {
  for (const std::size_t n : {1u, 2u, 7u, 8u, 9u, 17u}) check_reductions<1>(extents<2>{3, n}, extents<1>{3});
  check_reductions<1>(extents<2>{1, 5}, extents<1>{1});
  check_reductions<1>(extents<2>{0, 5}, extents<1>{0});
}

BOOST_AUTO_TEST_CASE(first_axis) {
  for (const std::size_t n : {1u, 2u, 7u, 8u, 9u, 17u}) check_reductions<0>(extents<2>{4, n}, extents<1>{n});
  check_reductions<0>(extents<2>{1, 5}, extents<1>{5});
  check_reductions<0>(extents<2>{5, 0}, extents<1>{0});
}

BOOST_AUTO_TEST_CASE(outer_axes) {
  check_reductions<0, 2>(extents<3>{2, 3, 4}, extents<1>{3});
  check_reductions<0, 2>(extents<3>{1, 9, 1}, extents<1>{9});
  check_reductions<0, 2>(extents<3>{2, 0, 3}, extents<1>{0});
}

BOOST_AUTO_TEST_CASE(middle_axes) {
  check_reductions<1, 2>(extents<4>{2, 3, 2, 5}, extents<2>{2, 5});
  check_reductions<1, 2>(extents<4>{2, 1, 6, 1}, extents<2>{2, 1});
  check_reductions<1, 2>(extents<4>{1, 1, 1, 1}, extents<2>{1, 1});
}

BOOST_AUTO_TEST_CASE(over_no_elements) {
  const auto none = strided<2>({2, 0}, layout::rows);
  const auto results = stack<0>(sum<1>(a), mean<1>(a), prod<1>(a), norm<1>(a))(a = none.tensor());
  BOOST_TEST((results.shape() == extents<2>{4, 2}));
  for (std::size_t i = 0; i < 2; ++i) {
    BOOST_TEST(results(0, i) == 0.0);
    BOOST_TEST(std::isnan(results(1, i)));
    BOOST_TEST(results(2, i) == 1.0);
    BOOST_TEST(results(3, i) == 0.0);
  }
  const auto r = value_and_gradient(sum(a * a) + prod(a) * b, wrt(a, b))(a = none.tensor(), b = 2.0);
  BOOST_TEST(r.value == 2.0);
  BOOST_TEST(r.gradient[a].size() == 0u);
  BOOST_TEST((r.gradient[a].shape() == extents<2>{2, 0}));
  BOOST_TEST(r.gradient[b] == 1.0);

  const auto x = none.tensor();
  throws([&] { return amax(a)(a = x); }, "amax over no elements: a (2, 0)");
  throws([&] { return amin<1>(a)(a = x); }, "amin over no elements: a (2, 0)");
  throws([&] { return argmax<1>(a)(a = x); }, "argmax over no elements: a (2, 0)");
  throws([&] { return logsumexp<1>(a)(a = x); }, "logsumexp over no elements: a (2, 0)");
  throws([&] { return softmax<1>(a)(a = x); }, "softmax over no elements: a (2, 0)");
  // Along the other axis there is something in each of no columns.
  BOOST_TEST(amax<0>(a)(a = x).size() == 0u);
  BOOST_TEST(softmax<0>(a)(a = x).size() == 0u);
}

BOOST_AUTO_TEST_CASE(softmax_along_each_axis) {
  for (const layout how : layouts) {
    const auto x = strided<3>({2, 3, 9}, how).randomise(5), y = strided<3>({2, 3, 9}, how).randomise(6);
    const auto r =
        value_and_gradient(sum(b * (softmax<1>(a) + log_softmax<2>(a))), wrt(a, b))(a = x.tensor(), b = y.tensor());
    // By a: p (b - sum b p) along axis 1, b - q sum b along axis 2.
    double value = 0;
    for_each_index(x.shape(), [&](const auto& at) {
      double along_1 = 0, along_2 = 0, weighted = 0, weights = 0;
      for (std::size_t k = 0; k < 3; ++k) along_1 += std::exp(x[{at[0], k, at[2]}]);
      for (std::size_t k = 0; k < 3; ++k) weighted += y[{at[0], k, at[2]}] * std::exp(x[{at[0], k, at[2]}]) / along_1;
      for (std::size_t k = 0; k < 9; ++k) along_2 += std::exp(x[{at[0], at[1], k}]), weights += y[{at[0], at[1], k}];
      const double p = std::exp(x[at]) / along_1, q = std::exp(x[at]) / along_2;
      value += y[at] * (p + std::log(q));
      nearly(r.gradient[a][at], p * (y[at] - weighted) + y[at] - q * weights, "by a");
      nearly(r.gradient[b][at], p + std::log(q), "by b");
    });
    nearly(r.value, value, "value");
  }
}

BOOST_AUTO_TEST_CASE(special_values) {
  // Row by row: NaN anywhere, infinities, and zeros of different sign, which tie.
  const matrix x{{1, not_a_number, 3, 1, 1, 1, 1, 1, 1},
                 {infinity, 1, 2, 1, 1, infinity, 1, 1, 1},
                 {-infinity, -infinity, -infinity, -infinity, -infinity, -infinity, -infinity, -infinity, -infinity},
                 {0.0, -1, -0.0, -1, -1, -1, -1, -1, -1},
                 {1, 2, 3, 4, 5, 6, 7, 8, 1e308}};
  const auto r = stack<0>(amax<1>(a), amin<1>(a), sum<1>(a), logsumexp<1>(a), argmax<1>(a), norm<1>(a))(a = x);
  const matrix expected{{not_a_number, infinity, -infinity, 0, 1e308},
                        {not_a_number, 1, -infinity, -1, 1},
                        {not_a_number, infinity, -infinity, -7, 1e308},
                        {not_a_number, infinity, -infinity, std::log(2 + 7 * std::exp(-1)), 1e308},
                        {1, 0, 0, 0, 8},
                        {not_a_number, infinity, infinity, std::sqrt(7), infinity}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double computed = r.data()[i], right = expected.data()[i];
    BOOST_CHECK_MESSAGE((std::isnan(computed) && std::isnan(right)) || computed == right ||
                            std::abs(computed - right) <= 1e-15 * std::abs(right),
                        "at " << i << ": " << computed << " instead of " << right);
  }
  const auto g = gradient(sum(amax<1>(a)), wrt(a))(a = x)[a];
  const matrix slopes{{0, 0, 0, 0, 0, 0, 0, 0, 0},
                      {0.5, 0, 0, 0, 0, 0.5, 0, 0, 0},
                      {1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9},
                      {0.5, 0, 0.5, 0, 0, 0, 0, 0, 0},
                      {0, 0, 0, 0, 0, 0, 0, 0, 1}};
  BOOST_TEST((g == slopes));

  // Subnormal numbers are added and multiplied as they are.
  const double tiny = limits::denorm_min();
  const vector tinies{tiny, tiny, tiny, tiny, tiny, tiny, tiny, tiny, tiny};
  BOOST_TEST(sum(a)(a = tinies) == 9 * tiny);
  BOOST_TEST(amin(a)(a = tinies) == tiny);
  const vector some{1, 0, 3}, two{0, 0, 3}, minus{-0.0, -0.0};
  BOOST_TEST((gradient(prod(a), wrt(a))(a = some)[a] == vector{0, 3, 0}));
  BOOST_TEST((gradient(prod(a), wrt(a))(a = two)[a] == vector{0, 0, 0}));
  BOOST_TEST((gradient(norm(a), wrt(a))(a = minus)[a] == vector{0, 0}));
}

BOOST_AUTO_TEST_CASE(single_precision) {
  const auto x = strided<2, float>({5, 19}, layout::gaps).randomise(7);
  const auto r = value_and_gradient(sum(logsumexp<1>(a) + amax<1>(a) * mean<1>(a)), wrt(a))(a = x.tensor());
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(r.value)>, float>);
  double value = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    double sum = 0, exponentials = 0, largest = x[{i, 0}];
    for (std::size_t k = 0; k < 19; ++k) {
      const double e = x[{i, k}];
      sum += e, exponentials += std::exp(e), largest = std::max(largest, e);
    }
    value += std::log(exponentials) + largest * sum / 19;
    for (std::size_t k = 0; k < 19; ++k) {
      const double e = x[{i, k}];
      const double slope = std::exp(e) / exponentials + largest / 19 + (e == largest ? sum / 19 : 0);
      BOOST_CHECK_SMALL(static_cast<double>(r.gradient[a](i, k)) - slope, 1e-6);
    }
  }
  BOOST_CHECK_CLOSE(static_cast<double>(r.value), value, 1e-4);
}

BOOST_AUTO_TEST_CASE(contractions) {
  using cube = xt::xtensor<double, 3>;
  cube left = cube::from_shape({2, 3, 4}), right = cube::from_shape({2, 4, 5}),
       square_ones = cube::from_shape({2, 3, 3});
  matrix shared = matrix::from_shape({4, 5});
  randomise(left, 1), randomise(right, 2), randomise(square_ones, 3), randomise(shared, 4);
  const auto batch = matmul(a, b)(a = left, b = right);
  const auto broadcast = dot(a, b)(a = left, b = shared);
  const auto other_order = einsum<"bij,bjk->kbi">(a, b)(a = left, b = right);
  const auto to_number = einsum<"bij,bjk->">(a, b)(a = left, b = right);
  double total = 0;
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        double own = 0, same = 0;
        for (std::size_t l = 0; l < 4; ++l) own += left(k, i, l) * right(k, l, j), same += left(k, i, l) * shared(l, j);
        nearly(batch(k, i, j), own, "matmul");
        nearly(broadcast(k, i, j), same, "matmul with one matrix");
        nearly(other_order(j, k, i), own, "einsum");
        total += own;
      }
  nearly(to_number, total, "einsum to a number");
  // By the one matrix the sum over the batch; a batch of one that is known at the call alone.
  const auto g = gradient(sum(square(dot(a, b))))(a = left, b = shared);
  for (std::size_t l = 0; l < 4; ++l)
    for (std::size_t j = 0; j < 5; ++j) {
      double expected = 0;
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t i = 0; i < 3; ++i) expected += 2 * broadcast(k, i, j) * left(k, i, l);
      nearly(g[b](l, j), expected, "by the one matrix");
    }
  cube single = cube::from_shape({1, 3, 4});
  std::copy_n(left.data(), 12, single.data());
  const auto by_single = gradient(sum(square(matmul(a, b))))(a = single, b = right);
  const auto product = matmul(a, b)(a = single, b = right);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t l = 0; l < 4; ++l) {
      double expected = 0;
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t j = 0; j < 5; ++j) expected += 2 * product(k, i, j) * right(k, l, j);
      nearly(by_single[a](0, i, l), expected, "by a batch of one");
    }
  const auto diagonals = diagonal(a)(a = square_ones);
  const auto traces = value_and_gradient(sum(square(trace(a))))(a = square_ones);
  double squares = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      BOOST_TEST(diagonals(k, i) == square_ones(k, i, i));
      sum += square_ones(k, i, i);
    }
    squares += sum * sum;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) nearly(traces.gradient[a](k, i, j), i == j ? 2 * sum : 0.0, "trace");
  }
  nearly(traces.value, squares, "traces");
  BOOST_CHECK_EXCEPTION(static_cast<void>(trace(a)(a = left)), std::invalid_argument, [](const auto& e) {
    return std::string(e.what()) ==
           "tapeless: diagonal and trace need square matrices; their extents are 3 and 4, a (2, 3, 4)";
  });
  BOOST_CHECK_THROW(static_cast<void>(matmul(a, b)(a = left, b = left)), std::invalid_argument);
}

// One vector along the rows and along the columns of a matrix, and in its product with that.
BOOST_AUTO_TEST_CASE(one_vector_along_both_axes) {
  const matrix x{{2.1, 0.3}, {-0.4, 1.7}};
  const vector v{0.5, -0.8};
  const auto r = value_and_gradient(sum((outer(b, b) + a) * expand_dims<1>(dot(a, b))), wrt(a, b))(a = x, b = v);
  const double total = v(0) + v(1);
  double value = 0, product[2], factor[2];
  for (std::size_t i = 0; i < 2; ++i) {
    product[i] = x(i, 0) * v(0) + x(i, 1) * v(1), factor[i] = v(i) * total + x(i, 0) + x(i, 1);
    value += product[i] * factor[i];
  }
  nearly(r.value, value, "value");
  for (std::size_t j = 0; j < 2; ++j) {
    double slope = product[j] * total + product[0] * v(0) + product[1] * v(1);
    for (std::size_t i = 0; i < 2; ++i) {
      slope += x(i, j) * factor[i];
      nearly(r.gradient[a](i, j), v(j) * factor[i] + product[i], "by the matrix");
    }
    nearly(r.gradient[b](j), slope, "by the vector");
  }
}
