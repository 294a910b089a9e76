// What the random programs of test/program found about axes, as users write it; with numbers worked out by hand.
#include <tapeless/inspect/compare_engines.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace {

using namespace tapeless;

constexpr auto a = variable<"a">;
constexpr auto c = variable<"c">;
constexpr auto d = variable<"d">;
const auto near = boost::test_tools::tolerance(1e-12);

template <class F, class... Bindings>
double checked_value(const F& f, const Bindings&... bindings) {
  const engine_report report = compare_engines(value_and_gradient(f))(bindings...);
  BOOST_TEST(report.passed(1e-12), report);
  return report.checks[0].fast;
}
template <class F, class... Bindings>
void refused(const F& f, const std::string& text, const Bindings&... bindings) {
  BOOST_CHECK_EXCEPTION(value_and_gradient(f)(bindings...), std::invalid_argument,
                        [&](const auto& e) { return std::string(e.what()).find(text) != std::string::npos; });
}

// Elements were read beyond the end of the vector, or left out.
BOOST_AUTO_TEST_CASE(vector_of_another_length_than_a_fixed_one) {
  constexpr auto f = sum(c * (d - mean(d)));
  const xt::xtensor_fixed<double, xt::xshape<3>> fixed{1., 2., 4.};
  const xt::xtensor<double, 1> three{1., 2., 3.};
  BOOST_TEST(checked_value(f, c = fixed, d = three) == 3., near);
  for (const auto& other : {xt::xtensor<double, 1>{1., 2.}, xt::xtensor<double, 1>{1., 2., 3., 4., 5.}})
    refused(f, "c (3) and d (" + std::to_string(other.size()) + ")", c = fixed, d = other);
}

// A row with itself had a product.
BOOST_AUTO_TEST_CASE(product_of_a_table_with_itself) {
  constexpr auto f = sum(dot(2_c * a, 2_c * a));
  const xt::xtensor<double, 2> square{{1., 2.}, {3., 4.}}, row{{1., 2., 3.}}, column{{1.}, {2.}, {3.}};
  BOOST_TEST(checked_value(f, a = square) == 4 * (7. + 10. + 15. + 22.), near);
  refused(f, "1 and 3", a = row);
  refused(f, "1 and 3", a = column);
}

// A vector meets one axis of a table, and then the other, which is no loop along the table's diagonal.
BOOST_AUTO_TEST_CASE(vector_along_both_axes_of_a_table) {
  const xt::xtensor<double, 2> table{{1., 2.}, {3., 4.}};
  const xt::xtensor<double, 1> x{10., 20.};
  BOOST_TEST(checked_value(sum((c + sum<1>(a)) * (c + sum<0>(a))), a = table, c = x) == 13. * 14 + 27 * 26, near);
  BOOST_TEST(checked_value(sum((sum<1>(a) + c) * (sum<0>(a) + c)), a = table, c = x) == 13. * 14 + 27 * 26, near);
  BOOST_TEST(checked_value(sum((c + sum<0>(a)) * (c + sum<1>(a)) * c), a = table, c = x) == 182. * 10 + 702 * 20, near);
  BOOST_TEST(checked_value(sum((c + sum<1>(a)) * dot(c, a)), a = table, c = x) == 13. * 70 + 27 * 100, near);
  BOOST_TEST(checked_value(sum((c * d) * (sum<1>(a) + d) * sum<0>(a)), a = table, c = x, d = x) ==
                 100. * 13 * 4 + 400 * 27 * 6,
             near);
  // Where both sums are there before the vector meets one of them.
  constexpr auto sums_first = [](auto m, auto v) {
    const auto columns = sum<0>(m), rows = sum<1>(m);
    return sum((v + rows) * (v + columns));
  };
  constexpr auto vector_last = [](auto m, auto v) {
    const auto columns = sum<0>(m), rows = sum<1>(m);
    return sum((rows + v) * (columns + v));
  };
  BOOST_TEST(checked_value(sums_first, table, x) == 13. * 14 + 27 * 26, near);
  BOOST_TEST(checked_value(vector_last, table, x) == 13. * 14 + 27 * 26, near);
}

// The vectors of the sum ran in loops of their own.
BOOST_AUTO_TEST_CASE(vector_beside_a_mean_over_what_it_was_broadcast_to) {
  constexpr auto f = sum(c - (mean(c - d) + a));
  const xt::xtensor<double, 1> x{1., 2., 4.}, y{.5, .25, .125};
  const xt::xtensor<double, 2> table{{1., 2., 3.}, {4., 5., 6.}};
  BOOST_TEST(checked_value(f, a = x, c = y, d = table) == .875 - 3 * (.875 / 3 - 3.5) - 7, near);
}

// An axis that the selection is broadcast to was lost: the sum was a third.
BOOST_AUTO_TEST_CASE(selection_of_equal_branches) {
  constexpr auto x = where(d < c, d, d);
  constexpr auto u = square(outer(x, c));
  constexpr auto largest = amax<2>(x - a, keep_dims);
  constexpr auto f = sum(where(u < largest, u, largest));
  const xt::xtensor<double, 3> two{{{0.}}, {{-1.}}};
  const xt::xtensor<double, 2> table{{.5, .5}, {.5, .5}, {1., 1.}};
  // The squares are 1, 1, 4 by rows, the largest 2 and 3; each occurs at three places of two.
  BOOST_TEST(checked_value(f, a = two, c = table, d = 2.) == 6. * ((1 + 1 + 2) + (1 + 1 + 3)), near);
}

// An axis along which was concatenated stayed one with that of the other factor.
BOOST_AUTO_TEST_CASE(product_with_a_concatenation_of_itself) {
  constexpr auto both = concatenate<1>(a, a);
  constexpr auto f = sum(dot(a, dot(both, concatenate<0>(transpose(a), transpose(a)))));
  const xt::xtensor_fixed<double, xt::xshape<2, 2>> fixed{{1., 2.}, {3., 4.}};
  // The sum of 2 a a a': twice the columns' sums of a a, (22, 32), times those of a, (4, 6).
  BOOST_TEST(checked_value(f, a = fixed) == 2 * (22. * 4 + 32. * 6), near);
}

// Where a table has one column at the call, what is stacked on it was taken for as wide.
BOOST_AUTO_TEST_CASE(concatenation_of_a_sum_and_its_operand) {
  constexpr auto f = sum(concatenate<0>(logsumexp<1>(a) + a, a));
  const xt::xtensor<double, 2> square{{1., 1.}, {3., 3.}}, column{{1.}, {3.}};
  // Rows of 1, 3 beside log(2 e), log(2 e^3).
  BOOST_TEST(checked_value(f, a = square) == 8 + 2 * (1 + 3 + 2 * std::log(2.)) + 8, near);
  refused(f, "tapeless", a = column);
}

// A factor that is NaN left the sum of no values, which is 0.
BOOST_AUTO_TEST_CASE(multiples_of_an_empty_mean) {
  const xt::xtensor<double, 2> none(std::array<std::size_t, 2>{0, 3}), two{{1., 3.}};
  BOOST_TEST(sum(mean(a) * a)(a = none) == 0);
  BOOST_TEST(sum(mean(a) * a)(a = two) == 8);
  BOOST_TEST(gradient(sum(a / c) + sum(a), wrt(c))(a = none, c = 0.)[c] == 0);
}

// The derivative by the slice is how many columns b has, put among zeros: it was read from nowhere.
BOOST_AUTO_TEST_CASE(extent_put_among_zeros) {
  constexpr auto f = sum(expand_dims<1>(slice<1>(a, 1)) - c);
  const xt::xtensor<double, 2> table{{1., 2.}, {3., 4.}, {5., 6.}}, one{{1.}}, two{{1., 2.}};
  for (const auto& [other, columns] : {std::pair(one, 1.), std::pair(two, 2.)}) {
    const auto r = value_and_gradient(f, wrt(a))(a = table, c = other);
    BOOST_TEST(r.value == 12 * columns - 3 * columns * (columns + 1) / 2);
    for (std::size_t row = 0; row < 3; ++row)
      BOOST_TEST((r.gradient[a](row, 0) == 0 && r.gradient[a](row, 1) == columns));
  }
}

// With explicit axes there were too many, and the program that was cut short was checked like others.
BOOST_AUTO_TEST_CASE(nine_tensors_of_rank_4) {
  constexpr auto f = [](const auto&... all) { return sum((all + ...)); };
  using table = xt::xtensor<double, 4>;
  const table one(std::array<std::size_t, 4>{1, 1, 1, 1}, 1.), wide(std::array<std::size_t, 4>{2, 1, 3, 1}, 2.),
      tall(std::array<std::size_t, 4>{1, 2, 1, 2}, 3.);
  const auto r = value_and_gradient(f, wrt<0, 8>)(wide, one, one, one, one, one, one, one, tall);
  BOOST_TEST(r.value == 24 * (2 + 7 + 3));
  for (const double slope : std::get<0>(r.gradient)) BOOST_TEST(slope == 4);
  for (const double slope : std::get<1>(r.gradient)) BOOST_TEST(slope == 6);
}

// Elements taken by a matrix of indices meet themselves: the copy's axes had no length, and the call threw.
BOOST_AUTO_TEST_CASE(taken_by_a_matrix_twice) {
  const xt::xtensor<double, 1> x{0.5, 0.2, -1., 0.75};
  const xt::xtensor<int, 2> square_of{{0, 2}, {1, 1}}, wide{{0, 2, 3}, {1, 1, 0}};
  const auto checked = [&](const auto& f, const xt::xtensor<int, 2>& i, double value,
                           const std::array<double, 4>& by_x) {
    const auto verb = value_and_gradient(f, wrt<0>);
    BOOST_TEST(compare_engines(verb)(x, i).passed(1e-12));
    const auto r = verb(x, i);
    BOOST_TEST(r.value == value, near);
    for (std::size_t k = 0; k < 4; ++k) BOOST_TEST(r.gradient[k] == by_x[k], near);
  };
  // u = {{0.5, -1}, {0.2, 0.2}}: the sums of its columns times those of its rows.
  checked([](const auto& y, const auto& i) { return sum(dot(take(y, i), take(y, i))); }, square_of, -0.67,
          {0.2, -1.7, 1.1, 0});
  checked([](const auto& y, const auto& i) { return sum(square(take(y, i) - transpose(take(y, i)))); }, square_of, 2.88,
          {0, 4.8, -4.8, 0});
  static constexpr auto products = [](const auto& u) { return sum(dot(u, transpose(u))); };
  // The squares of the sums of columns, 0.7, -0.8, 1.25; in a verb inside too.
  checked([](const auto& y, const auto& i) { return products(take(y, i)); }, wide, 0.49 + 0.64 + 1.5625,
          {1.4 + 2.5, 1.4 - 1.6, -1.6, 2.5});
  checked([](const auto& y, const auto& i) { return sum(square(gradient(products)(take(y, i)))) / 16; }, wide,
          (0.49 + 0.64 + 1.5625) / 2, {(1.4 + 2.5) / 2, (1.4 - 1.6) / 2, -0.8, 1.25});
}

}  // namespace
