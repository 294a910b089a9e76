#include <boost/test/unit_test.hpp>
#include <xtensor/xview.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include "check_against.hpp"

/// Values that meet themselves along other axes, one after another, as in a transformer. Values come from loops written
/// by hand.
namespace {

using namespace tapeless;
using namespace tapeless_test;

/// Self-attention: queries along the tokens of the result, keys and values along others.
constexpr auto block = [](const auto& x, const auto& q, const auto& k, const auto& v) {
  const auto n = tanh(x);
  return x + dot(softmax<1>(dot(dot(n, q), transpose(dot(n, k)))), dot(n, v));
};
matrix block_by_hand(const matrix& x, const matrix& q, const matrix& k, const matrix& v) {
  const matrix n = xt::tanh(x), queries = product(n, q), keys = product(n, k), values = product(n, v);
  matrix result = x;
  for (std::size_t i = 0; i < x.shape(0); ++i) {
    std::vector<double> weights;
    double total = 0;
    for (std::size_t j = 0; j < x.shape(0); ++j) {
      double similarity = 0;
      for (std::size_t f = 0; f < x.shape(1); ++f) similarity += queries(i, f) * keys(j, f);
      weights.push_back(std::exp(similarity));
      total += weights.back();
    }
    for (std::size_t j = 0; j < x.shape(0); ++j)
      for (std::size_t f = 0; f < x.shape(1); ++f) result(i, f) += weights[j] / total * values(j, f);
  }
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attention)

BOOST_AUTO_TEST_CASE(three_blocks) {
  constexpr auto f = [](const auto& x, const auto& q, const auto& k, const auto& v) {
    return sum(square(block(block(block(x, q, k, v), k, q, v), q, v, k)));
  };
  const auto by_hand = [](const matrix& x, const matrix& q, const matrix& k, const matrix& v) {
    const matrix y = block_by_hand(block_by_hand(block_by_hand(x, q, k, v), k, q, v), q, v, k);
    return xt::sum(y * y)();
  };
  for (const std::size_t tokens : {1u, 2u, 3u})
    for (const std::size_t features : {1u, 2u, 3u})
      check_against("blocks", f, by_hand, random<matrix>({tokens, features}, 1),
                    random<matrix>({features, features}, 2), random<matrix>({features, features}, 3),
                    random<matrix>({features, features}, 4));
}

/// The batch's own axis stays where it is when values move to others.
BOOST_AUTO_TEST_CASE(a_batch_of_blocks) {
  constexpr auto f = [](const auto& x, const auto& q, const auto& k, const auto& v) {
    return sum(square(block(block(x, q, k, v), k, q, v)));
  };
  const matrix q = random<matrix>({2, 2}, 2), k = random<matrix>({2, 2}, 3), v = random<matrix>({2, 2}, 4);
  const auto examples = random<xt::xtensor<double, 3>>({4, 3, 2}, 1);
  const auto all = batched(value_and_gradient(f, wrt<0>))(each(examples), q, k, v);
  for (std::size_t e = 0; e < 4; ++e) {
    const matrix x = xt::view(examples, e), y = block_by_hand(block_by_hand(x, q, k, v), k, q, v);
    BOOST_TEST(all.value(e) == xt::sum(y * y)(), boost::test_tools::tolerance(1e-12));
    const matrix slope = gradient(f, wrt<0>)(x, q, k, v);
    for (std::size_t i = 0; i < slope.size(); ++i)
      BOOST_TEST(all.gradient.data()[e * slope.size() + i] == slope.data()[i], boost::test_tools::tolerance(1e-12));
  }
}

/// What is read along other axes is broadcast there by extents of 1, in the one copy and not in the other.
BOOST_AUTO_TEST_CASE(copies_beside_extents_of_one) {
  constexpr auto f = [](const auto& x, const auto& a, const auto& b) {
    const auto n = tanh(x);
    const auto first = a * transpose(n) + n, second = b * transpose(n) * n;
    return sum(square(first)) + sum(second * a) + sum(sin(first) * second);
  };
  const auto by_hand = [](const matrix& x, const matrix& a, const matrix& b) {
    const auto at = [](const matrix& m, std::size_t i, std::size_t j) {
      return m(m.shape(0) == 1 ? 0 : i, m.shape(1) == 1 ? 0 : j);
    };
    const auto most = [](std::size_t p, std::size_t q) { return p == 1 ? q : p; };
    const std::size_t n = most(x.shape(0), x.shape(1)), rows = most(n, a.shape(0)), columns = most(n, a.shape(1));
    const std::size_t more_rows = most(rows, b.shape(0)), more_columns = most(columns, b.shape(1));
    double result = 0;
    for (std::size_t i = 0; i < more_rows; ++i)
      for (std::size_t j = 0; j < more_columns; ++j) {
        const double here = std::tanh(at(x, i, j)), across = std::tanh(at(x, j, i));
        const double first = at(a, i, j) * across + here, second = at(b, i, j) * across * here;
        if (i < rows && j < columns) result += first * first;
        result += second * at(a, i, j) + std::sin(first) * second;
      }
    return result;
  };
  for (const std::size_t n : {1u, 3u})
    for (const std::size_t i : {1u, 3u})
      for (const std::size_t j : {1u, 3u})
        for (const std::size_t k : {1u, 3u})
          check_against("beside one", f, by_hand, random<matrix>({n, n}, 1), random<matrix>({i, j}, 2),
                        random<matrix>({k, i}, 3));
  check_against("beside one", f, by_hand, random<matrix>({1, 3}, 1), random<matrix>({3, 3}, 2),
                random<matrix>({3, 1}, 3));
}

BOOST_AUTO_TEST_CASE(a_gradient_within_the_loss) {
  static constexpr auto total = [](const auto& x, const auto& q, const auto& k, const auto& v) {
    return sum(sin(block(x, q, k, v)));
  };
  constexpr auto penalised = [](const auto& x, const auto& q, const auto& k, const auto& v) {
    return total(x, q, k, v) + sum(square(gradient(total, wrt<0>)(x, q, k, v)));
  };
  const auto by_hand = [](const matrix& x, const matrix& q, const matrix& k, const matrix& v) {
    const auto value = [&](const matrix& at) { return xt::sum(xt::sin(block_by_hand(at, q, k, v)))(); };
    const matrix slope = gradient(total, wrt<0>)(x, q, k, v);
    return value(x) + xt::sum(slope * slope)();
  };
  check_against("penalised", penalised, by_hand, random<matrix>({3, 2}, 1), random<matrix>({2, 2}, 2),
                random<matrix>({2, 2}, 3), random<matrix>({2, 2}, 4));
}

BOOST_AUTO_TEST_SUITE_END()
