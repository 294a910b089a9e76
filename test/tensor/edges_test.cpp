// Elementwise operations: broadcasting on either side, each rank, extents 0 and 1, each layout, special values.
#include "check.hpp"
#include "strided.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

/// The index of an operand at an index of the result: axes are aligned from the last, those of extent 1 stay at 0.
template <std::size_t Rank, std::size_t Of>
extents<Of> operand_index(const extents<Rank>& at, const extents<Of>& shape) {
  extents<Of> result{};
  for (std::size_t i = 0; i < Of; ++i) result[i] = shape[i] == 1 ? 0 : at[Rank - Of + i];
  return result;
}

/// Value and gradient of a sum over both operands, for each layout of each, against loops.
template <std::size_t RankA, std::size_t RankB>
void check_broadcast(const extents<RankA>& shape_a, const extents<RankB>& shape_b,
                     const extents<std::max(RankA, RankB)>& shape) {
  const auto f = sum(tanh(a * b + c) * a - b / (1_c + a * a));
  const auto step = value_and_gradient(f, wrt(a, b, c));
  for (const layout layout_a : layouts)
    for (const layout layout_b : layouts) {
      const auto x = strided(shape_a, layout_a).randomise(1);
      const auto y = strided(shape_b, layout_b).randomise(2);
      const double z = 0.25;
      const auto r = step(a = x.tensor(), b = y.tensor(), c = z);

      double value = 0, by_c = 0;
      auto by_a = strided(shape_a, layout::rows).fill({0});
      auto by_b = strided(shape_b, layout::rows).fill({0});
      for_each_index(shape, [&](const auto& at) {
        const auto at_a = operand_index(at, shape_a);
        const auto at_b = operand_index(at, shape_b);
        const double p = x[at_a], q = y[at_b], t = std::tanh(p * q + z), s = 1 + p * p;
        value += t * p - q / s;
        by_a[at_a] += (1 - t * t) * q * p + t + 2 * p * q / (s * s);
        by_b[at_b] += (1 - t * t) * p * p - 1 / s;
        by_c += (1 - t * t) * p;
      });
      nearly(r.value, value, "value");
      nearly(r.gradient[c], by_c, "by c");
      for_each_index(shape_a, [&](const auto& at) { nearly(r.gradient[a][at], by_a[at], "by a"); });
      for_each_index(shape_b, [&](const auto& at) { nearly(r.gradient[b][at], by_b[at], "by b"); });
      BOOST_TEST(r.gradient[a].size() == count(shape_a));
      BOOST_TEST(r.gradient[b].size() == count(shape_b));
    }
}

using limits = std::numeric_limits<double>;
constexpr double infinity = limits::infinity();
constexpr double not_a_number = limits::quiet_NaN();

/// The same number, the sign of a zero included, or both NaN.
template <class Tensor>
void same(const Tensor& computed, const std::vector<double>& expected, const char* what) {
  BOOST_REQUIRE(computed.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double x = computed[i], y = expected[i];
    BOOST_CHECK_MESSAGE((std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y)),
                        what << " at " << i << ": " << x << " instead of " << y);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(vectors_of_each_length) {
  for (std::size_t n = 0; n <= 2 * tapeless::simd::width<double> + 1; ++n) {
    check_broadcast<1, 1>({n}, {n}, {n});
    check_broadcast<1, 1>({1}, {n}, {n});
    check_broadcast<1, 1>({n}, {1}, {n});
  }
}

BOOST_AUTO_TEST_CASE(matrices) {
  check_broadcast<2, 2>({3, 5}, {3, 5}, {3, 5});
  check_broadcast<2, 2>({3, 1}, {1, 19}, {3, 19});
  check_broadcast<2, 2>({1, 1}, {4, 9}, {4, 9});
  check_broadcast<2, 2>({4, 9}, {1, 9}, {4, 9});
  check_broadcast<2, 2>({4, 9}, {4, 1}, {4, 9});
  check_broadcast<2, 2>({0, 3}, {1, 3}, {0, 3});
  check_broadcast<2, 2>({2, 1}, {1, 0}, {2, 0});
  check_broadcast<2, 1>({3, 5}, {5}, {3, 5});
  check_broadcast<2, 1>({3, 1}, {18}, {3, 18});
  check_broadcast<2, 1>({17, 2}, {1}, {17, 2});
}

BOOST_AUTO_TEST_CASE(ranks_three_and_four) {
  check_broadcast<3, 3>({2, 3, 4}, {2, 3, 4}, {2, 3, 4});
  check_broadcast<3, 3>({2, 1, 4}, {1, 3, 1}, {2, 3, 4});
  check_broadcast<3, 3>({1, 1, 1}, {2, 3, 0}, {2, 3, 0});
  check_broadcast<2, 4>({3, 5}, {2, 2, 3, 5}, {2, 2, 3, 5});
  check_broadcast<2, 4>({3, 1}, {2, 1, 1, 5}, {2, 1, 3, 5});
  check_broadcast<2, 4>({3, 1}, {0, 1, 1, 5}, {0, 1, 3, 5});
}

BOOST_AUTO_TEST_CASE(numbers_among_tensors) {
  // Everything of rank 0.
  const double p = 0.5, q = -1.5, tanh_pq = std::tanh(p * q);
  const xt::xtensor<double, 0> x = p;
  const auto r = value_and_gradient(sum(tanh(a * b) * a), wrt(a, b))(a = x, b = q);
  nearly(r.value, tanh_pq * p, "value");
  nearly(r.gradient[a](), (1 - tanh_pq * tanh_pq) * q * p + tanh_pq, "by a");
  nearly(r.gradient[b], (1 - tanh_pq * tanh_pq) * p * p, "by b");
  const vector many{1, 2, 3};
  const auto mixed = value_and_gradient(sum(a * b * b), wrt(a, b))(a = 2.0, b = many);
  BOOST_TEST(mixed.value == 28.0);
  BOOST_TEST(mixed.gradient[a] == 14.0);
  BOOST_TEST((mixed.gradient[b] == vector{4, 8, 12}));
  // dot with a number is a product, as NumPy's.
  const auto left = value_and_gradient(sum(dot(a, b) * b), wrt(a, b))(a = 2.0, b = many);
  BOOST_TEST(left.value == 28.0);
  BOOST_TEST(left.gradient[a] == 14.0);
  BOOST_TEST((left.gradient[b] == vector{4, 8, 12}));
  BOOST_TEST((dot(b, a)(a = 2.0, b = many) == vector{2, 4, 6}));
}

BOOST_AUTO_TEST_CASE(values_of_each_layout) {
  for (const layout how : layouts) {
    const auto x = strided<3>({2, 1, 3}, how).fill({1, 2, 3, 4, 5, 6});
    const auto y = strided<2>({4, 1}, how).fill({0, 10, 20, 30});
    const xt::xtensor<double, 3> z = (a + b)(a = x.tensor(), b = y.tensor());
    BOOST_TEST((z.shape() == extents<3>{2, 4, 3}));
    for_each_index<3>({2, 4, 3}, [&](const auto& at) {
      BOOST_TEST(z[at] == static_cast<double>(3 * at[0] + at[2] + 1 + 10 * at[1]));
    });
  }
}

BOOST_AUTO_TEST_CASE(results_have_the_type_of_what_is_bound) {
  using columns = xt::xtensor<double, 2, xt::layout_type::column_major>;
  const columns x{{1, 2, 3}, {4, 5, 6}};
  const xt::xtensor_fixed<float, xt::xshape<3>> scale{1.0F, 2.0F, 3.0F};
  const auto g = gradient(sum(a * a * b), wrt(a, b))(a = x, b = scale);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(g[a])>, columns>);
  BOOST_TEST((g[a] == columns{{2, 8, 18}, {8, 20, 36}}));
  BOOST_TEST((g[b] == vector{17, 29, 45}));

  const std::array<float, 3> fixed{1, 2, 3};
  const std::vector<float> numbers{4, 5, 6};
  const auto h = gradient(sum(a * b * b), wrt(a, b))(a = fixed, b = std::span<const float>(numbers));
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(h[a])>, std::array<float, 3>>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(h[b])>, std::vector<float>>);
  BOOST_TEST(h[a] == (std::array<float, 3>{16, 25, 36}));
  BOOST_TEST(h[b] == (std::vector<float>{8, 20, 36}));
}

BOOST_AUTO_TEST_CASE(special_values) {
  // Long enough for whole lanes and a tail.
  constexpr double smallest = limits::denorm_min(), tiny = limits::min() / 4;
  const std::vector<double> x{0.0,          -0.0,          smallest, tiny, -tiny,        infinity, -infinity,
                              not_a_number, 1.0,           infinity, -1.0, not_a_number, 0.0,      -0.0,
                              -infinity,    limits::max(), smallest, 2.0,  -2.0};
  std::vector<double> y, by_y, product;
  for (std::size_t i = 0; i < x.size(); ++i) y.push_back(i % 2 ? -0.5 : 2.0);
  for (std::size_t i = 0; i < x.size(); ++i) product.push_back(x[i] * y[i]);
  same((a * b)(a = x, b = y), product, "product");
  same((-a)(a = x),
       [&] {
         auto z = x;
         for (double& e : z) e = -e;
         return z;
       }(),
       "negation");
  // The derivative by each is the other, with its sign and its smallest digits.
  const auto g = gradient(sum(a * b), wrt(a, b))(a = x, b = y);
  same(g[a], y, "by a");
  same(g[b], x, "by b");
  // Of the branch not taken, here with NaN and infinite slopes, nothing enters.
  const auto chosen = value_and_gradient(sum(where(a > 0, log(a) * b, 3 * b)), wrt(a, b));
  std::vector<double> by_x, some_x;
  for (const double e : x)
    if (std::isfinite(e)) some_x.push_back(e);
  y.resize(some_x.size());
  for (std::size_t i = 0; i < some_x.size(); ++i) {
    by_x.push_back(some_x[i] > 0 ? 1 / some_x[i] * y[i] : 0.0);
    by_y.push_back(some_x[i] > 0 ? std::log(some_x[i]) : 3.0);
  }
  const auto r = chosen(a = some_x, b = y);
  same(r.gradient[a], by_x, "by a of the branch taken");
  for (std::size_t i = 0; i < by_y.size(); ++i) nearly(r.gradient[b][i], by_y[i], "by b of the branch taken");
  // Kinks, as they are for numbers.
  const std::vector<double> kinks{0.0, -0.0, 1.0, -1.0};
  same(gradient(sum(abs(a) + relu(a) + max(a, 0)), wrt(a))(a = kinks)[a], {0.5, 0.5, 3.0, -1.0}, "at kinks");
  const std::vector<double> squares{0.0, 4.0};
  same(gradient(sum(sqrt(a)), wrt(a))(a = squares)[a], {infinity, 0.25}, "root");
}

// A sum of no values is 0, whatever the same value in all of them would be; the gradient of an empty mean is 0 as
// JAX's, though its adjoint 1 / n is infinite.
BOOST_AUTO_TEST_CASE(sums_of_nothing) {
  const std::vector<double> none, two{1.0, 2.0};
  BOOST_TEST(sum(exp(a) + b)(a = none, b = infinity) == 0.0);
  BOOST_TEST(sum(exp(a) * b)(a = none, b = infinity) == 0.0);
  BOOST_TEST(gradient(mean(a + b), wrt(b))(a = none, b = 2.0)[b] == 0.0);
  BOOST_TEST(gradient(mean(exp(a) - b * b), wrt(b))(a = none, b = 2.0)[b] == 0.0);
  BOOST_TEST(gradient(mean(exp(a) - b * b), wrt(b))(a = two, b = 3.0)[b] == -6.0);
}

BOOST_AUTO_TEST_CASE(comparisons_count_as_0_and_1) {
  // Long enough for whole lanes and a tail.
  std::vector<double> x, threes(19, 3.0), expected, by_x;
  for (int i = 1; i <= 19; ++i) x.push_back(i);
  for (const double e : x) {
    expected.push_back((e > 3) + (e > 5));
    by_x.push_back(e > 3 ? 2 * e : 0.0);
  }
  same(((a > b) + (a > 5))(a = x, b = threes), expected, "sum of two");
  same(slice<0>(a > 5, 3, 7)(a = x), {0, 0, 1, 1}, "slice");
  BOOST_TEST(sum(a > b)(a = x, b = threes) == 16.0);
  BOOST_TEST(mean(a <= b)(a = x, b = threes) == 3.0 / 19);
  BOOST_TEST(amax(a > 19)(a = x) == 0.0);
  BOOST_TEST(prod(a > 0)(a = x) == 1.0);
  BOOST_TEST(dot(a > 5, b)(a = x, b = threes) == 42.0);
  BOOST_TEST(norm(a > 3)(a = x) == 4.0);
  const auto r = value_and_gradient(sum((a > b) * a * a + (a > 5)), wrt(a))(a = x, b = threes);
  same(r.gradient[a], by_x, "by a");
  const auto counted = batched(value_and_gradient((a > b) * a, wrt(a)))(a = x, b = threes);
  BOOST_TEST(counted.value[2] == 0.0);
  BOOST_TEST(counted.value[18] == 19.0);
  BOOST_TEST(counted.gradient[a][18] == 1.0);
}

BOOST_AUTO_TEST_CASE(products_of_zeros) {
  // A row each with no, one, two and three zeros. Derivatives by their definition: products of what is left.
  const xt::xtensor<double, 2> x{{2, -3, 5, 7}, {2, 0, 5, -7}, {0, 3, 0, 7}, {0, 3, 0, 0}},
      along{{1, 2, 3, 4}, {-1, 2, 3, 5}, {2, 7, -3, 4}, {1, 2, 3, -4}};
  const auto product_without = [&](std::size_t row, std::size_t i, std::size_t j) {
    double product = 1;
    for (std::size_t k = 0; k < 4; ++k)
      if (k != i && k != j) product *= x(row, k);
    return product;
  };
  const auto g = gradient(sum(prod<1>(a)), wrt(a))(a = x);
  const auto h = hvp(sum(prod<1>(a)), wrt(a), tangent(a = along))(a = x);
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t i = 0; i < 4; ++i) {
      BOOST_TEST(g[a](row, i) == product_without(row, i, i));
      double second = 0;
      for (std::size_t j = 0; j < 4; ++j)
        if (j != i) second += product_without(row, i, j) * along(row, j);
      nearly(h[a](row, i), second, "second");
    }
}
