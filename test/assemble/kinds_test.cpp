// Elements of several kinds in one sum, against matrices by hand.
#include "../allocations.hpp"
#include "chain.hpp"
#include "on_threads.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tapeless;

namespace {

using namespace tapeless_test;

template <class Matrix, std::size_t N>
void check_matrix(const Matrix& m, const std::array<std::array<double, N>, N>& expected) {
  BOOST_REQUIRE(m.row_begin.size() == N + 1);
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) BOOST_TEST(m(i, j) == expected[i][j]);
}

const auto both = assemble(hessian(spring), hessian(hinge));

}  // namespace

BOOST_AUTO_TEST_CASE(springs_and_hinges) {
  const auto r = both(x, sum_over(links, stiffness), sum_over(bends));
  static_assert(std::is_same_v<decltype(r.gradient), std::vector<double>>);
  BOOST_TEST(r.value == energy_of(chain));
  BOOST_TEST(r.gradient == forces(chain));
  check_matrix(r.hessian, chain);
  // The union: only 0 and 1 never meet 3 and 4.
  BOOST_TEST(r.hessian.columns == (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 2, 3, 4, 2, 3, 4}));
  BOOST_TEST(r.unknowns() == (std::vector<int>{0, 1, 2, 3, 4}));

  const auto g =
      assemble(value_and_gradient(spring), value_and_gradient(hinge))(x, sum_over(links, stiffness), sum_over(bends));
  BOOST_TEST(g.value == energy_of(chain));
  BOOST_TEST(g.gradient == forces(chain));
  // In the other order, the rounding aside.
  const auto turned = assemble(hessian(hinge), hessian(spring))(x, sum_over(bends), sum_over(links, stiffness));
  check_matrix(turned.hessian, chain);
}

BOOST_AUTO_TEST_CASE(rows_of_several_kinds) {
  constexpr auto prior = [](auto a, auto seen) { return a - seen; };
  constexpr auto pair = [](auto a, auto b) { return std::array{a * b, b - a}; };
  const auto verb = assemble(jacobian(prior), jacobian(pair), jacobian(prior));
  const Pairs two{{0, 2}, {3, 3}};
  const std::vector<int> first{4, 1}, last{0};
  const auto r = verb(x, sum_over(first, std::vector<double>{1, 5}), sum_over(two), sum_over(last, 0.5));
  BOOST_TEST(r.value == (std::vector<double>{2, -3, 4, 3, 49, 0, 0.5}));
  BOOST_TEST(r.jacobian.row_begin == (std::vector<int>{0, 1, 2, 4, 6, 7, 8, 9}));
  BOOST_TEST(r.jacobian.columns == (std::vector<int>{4, 1, 0, 2, 0, 2, 3, 3, 0}));
  BOOST_TEST(r.jacobian.values == (std::vector<double>{1, 1, 4, 1, -1, 1, 14, 0, 1}));
  const auto threaded =
      verb(on_threads{3}, x, sum_over(first, std::vector<double>{1, 5}), sum_over(two), sum_over(last, 0.5));
  BOOST_TEST(threaded.value == r.value);
  BOOST_TEST(threaded.jacobian.values == r.jacobian.values);
}

// Points between springs, and rods: a constraint for each, with a multiplier as an unknown.
BOOST_AUTO_TEST_CASE(multipliers) {
  using Point = std::array<double, 2>;
  constexpr auto pull = [](auto a, auto b) { return square(b[0] - a[0]) + square(b[1] - a[1]); };
  constexpr auto rod = [](auto a, auto b, auto force, auto length) { return force * (b[0] - a[0] - length); };
  constexpr auto load = [](auto force) { return 3 * square(force); };
  const std::vector<Point> points{{1, 2}, {4, 0}, {-3, 5}};
  const std::vector<double> force{10, 100};
  const Pairs pulls{{0, 1}, {1, 2}}, rods{{2, 0}, {0, 1}};
  const std::vector<int> own{1, 0}, loaded{1};
  const std::vector<double> length{2, 4};
  const auto verb = assemble(hessian(pull), hessian(rod), hessian(load));
  const auto r =
      verb(points, force, sum_over(pulls, no_nodes), sum_over(rods, own, length), sum_over(no_nodes, loaded));
  // Pulls (9 + 4) + (49 + 25), rods 100 (4 - 2) and 10 (3 - 4), a load 3 * 100^2.
  BOOST_TEST(r.value == 87 + 200 - 10 + 30000);
  const auto& [by_points, by_force] = r.gradient;
  BOOST_TEST((by_points == std::vector<Point>{{-6 + 100 - 10, 4}, {6 + 14 + 10, -4 - 10}, {-14 - 100, 10}}));
  BOOST_TEST(by_force == (std::vector<double>{-1, 2 + 600}));
  const std::array<std::array<double, 8>, 8> expected{{{2, 0, -2, 0, 0, 0, -1, 1},
                                                       {0, 2, 0, -2, 0, 0, 0, 0},
                                                       {-2, 0, 4, 0, -2, 0, 1, 0},
                                                       {0, -2, 0, 4, 0, -2, 0, 0},
                                                       {0, 0, -2, 0, 2, 0, 0, -1},
                                                       {0, 0, 0, -2, 0, 2, 0, 0},
                                                       {-1, 0, 1, 0, 0, 0, 0, 0},
                                                       {1, 0, 0, 0, -1, 0, 0, 6}}};
  check_matrix(r.hessian, expected);

  // The first point is held, and the second along the second axis.
  const std::vector<std::array<bool, 2>> held{{true, true}, {false, true}, {false, false}};
  const auto h = verb(nodes_of(points, no_nodes, held), force, sum_over(pulls, no_nodes), sum_over(rods, own, length),
                      sum_over(no_nodes, loaded));
  BOOST_TEST(h.unknowns() == (std::vector<int>{2, 4, 5, 6, 7}));
  BOOST_TEST((h.gradient == r.gradient));
  BOOST_REQUIRE(h.hessian.row_begin.size() == 6U);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      BOOST_TEST(h.hessian(i, j) ==
                 expected[static_cast<std::size_t>(h.unknowns()[i])][static_cast<std::size_t>(h.unknowns()[j])]);
  const auto threaded = verb(on_threads{2}, nodes_of(points, no_nodes, held), force, sum_over(pulls, no_nodes),
                             sum_over(rods, own, length), sum_over(no_nodes, loaded));
  BOOST_TEST((threaded.gradient == h.gradient));
  BOOST_TEST(threaded.hessian.values == h.hessian.values);
}

BOOST_AUTO_TEST_CASE(one_kind_is_a_list_of_one) {
  const auto verb = assemble(hessian(spring));
  const auto r = verb(x, sum_over(links, stiffness)), same = verb(x, links, stiffness);
  BOOST_TEST(r.value == same.value);
  BOOST_TEST(r.hessian.values == same.hessian.values);
  BOOST_TEST(r.hessian.columns == same.hessian.columns);

  // Of several vectors, too, a call into a result allocates one block.
  constexpr auto product = [](auto a, auto b) { return a * b; };
  const std::vector<int> first{0, 4}, second{1, 2};
  const auto products = assemble(hessian(product));
  auto p = products(nodes_of(x, first), nodes_of(stiffness, second));
  const std::size_t before = tapeless_test::allocations;
  products(into(p), nodes_of(x, first), nodes_of(stiffness, second));
  BOOST_TEST(tapeless_test::allocations - before == 1U);
  BOOST_TEST(p.value == 1 * 3 + 3 * 5);
}

// A hinge whose ends are one point: (2, -2; -2, 4 / 2) of (2 a - 2 b)^2 / 2.
BOOST_AUTO_TEST_CASE(a_node_twice_in_an_element) {
  const auto r = both(x, sum_over(links, stiffness), sum_over(Triples{{1, 3, 1}, {4, 4, 4}}));
  const square_matrix expected{
      {{2, -2, 0, 0, 0}, {-2, 5 + 4, -3, -4, 0}, {0, -3, 8, -5, 0}, {0, -4, -5, 5 + 4, 0}, {0, 0, 0, 0, 0}}};
  check_matrix(r.hessian, expected);
  BOOST_TEST(r.gradient == forces(expected));
}

BOOST_AUTO_TEST_CASE(kinds_without_elements) {
  const square_matrix springs{{{2, -2, 0, 0, 0}, {-2, 5, -3, 0, 0}, {0, -3, 8, -5, 0}, {0, 0, -5, 5, 0}, {}}};
  const square_matrix hinges{
      {{1, -2, 1, 0, 0}, {-2, 4, -2, 0, 0}, {1, -2, 2, -2, 1}, {0, 0, -2, 4, -2}, {0, 0, 1, -2, 1}}};
  const auto no_hinges = both(x, sum_over(links, stiffness), sum_over(Triples{}));
  check_matrix(no_hinges.hessian, springs);
  BOOST_TEST(no_hinges.value == energy_of(springs));
  const auto no_springs = both(x, sum_over(Pairs{}, std::vector<double>{}), sum_over(bends));
  check_matrix(no_springs.hessian, hinges);
  BOOST_TEST(no_springs.gradient == forces(hinges));
  const auto threaded = both(on_threads{2}, x, sum_over(Pairs{}, std::vector<double>{}), sum_over(bends));
  BOOST_TEST(threaded.hessian.values == no_springs.hessian.values);
  const auto none = both(x, sum_over(Pairs{}, 1.0), sum_over(Triples{}));
  BOOST_TEST(none.value == 0);
  BOOST_TEST(none.gradient == std::vector<double>(5));
  BOOST_TEST(none.hessian.row_begin.size() == 6U);
  const auto nothing = both(std::vector<double>{}, sum_over(Pairs{}, 1.0), sum_over(Triples{}));
  BOOST_TEST(nothing.hessian.row_begin.size() == 1U);
}

BOOST_AUTO_TEST_CASE(results_of_several_kinds_are_kept) {
  auto r = both(x, sum_over(links, stiffness), sum_over(bends));
  const double* const values = r.hessian.values.data();
  const std::size_t before = tapeless_test::allocations;
  both(into(r), x, sum_over(links, stiffness), sum_over(bends));
  BOOST_TEST(tapeless_test::allocations - before == 2U);  // a block for each kind
  BOOST_TEST(r.hessian.values.data() == values);
  check_matrix(r.hessian, chain);
  // Each kind's elements belong to the pattern.
  both(into(r), x, sum_over(links, stiffness), sum_over(Triples{{1, 2, 3}}));
  BOOST_TEST(r.hessian(1, 3) == 1);
  BOOST_TEST(r.hessian(3, 4) == 0);
  both(into(r), x, sum_over(Pairs{{4, 0}}, 7.0), sum_over(Triples{{1, 2, 3}}));
  BOOST_TEST(r.hessian(0, 4) == -7);
  BOOST_TEST(r.hessian(0, 1) == 0);
  // Data of the second kind may lie in the result.
  const auto scaled = assemble(value_and_gradient(spring), value_and_gradient(spring));
  auto g = scaled(x, sum_over(links, stiffness), sum_over(Pairs{{0, 1}}, 1.0));
  scaled(into(g), x, sum_over(links, stiffness), sum_over(Pairs{{0, 1}}, g.gradient[1]));  // 3 - 6
  BOOST_TEST(g.gradient == (std::vector<double>{-2 + 3, 2 - 3 - 6, 6 - 15, 15, 0}));
  const auto moved = std::move(r.hessian);
  both(into(r), x, sum_over(links, stiffness), sum_over(bends));
  check_matrix(r.hessian, chain);
}

// The same indices in a row, in another division among kinds: rows of two and one number, or of one and two.
BOOST_AUTO_TEST_CASE(other_kinds_of_the_same_indices) {
  constexpr auto one = [](auto a, auto b) { return a * b; };
  constexpr auto two = [](auto a, auto b) { return std::array{a * b, a + b}; };
  const Pairs first{{0, 1}}, second{{2, 3}}, all{{0, 1}, {2, 3}};
  auto r = assemble(jacobian(one), jacobian(two))(x, sum_over(first), sum_over(second));
  BOOST_TEST(r.jacobian.columns == (std::vector<int>{0, 1, 2, 3, 2, 3}));
  assemble(jacobian(two), jacobian(one))(into(r), x, sum_over(first), sum_over(second));
  BOOST_TEST(r.jacobian.columns == (std::vector<int>{0, 1, 0, 1, 2, 3}));
  BOOST_TEST(r.jacobian.values == (std::vector<double>{2, 1, 1, 1, 7, 4}));
  assemble(jacobian(one))(into(r), x, all);
  assemble(jacobian(one), jacobian(one))(into(r), x, sum_over(first), sum_over(second));
  BOOST_TEST(r.jacobian.values == (std::vector<double>{2, 1, 7, 4}));
}

BOOST_AUTO_TEST_CASE(many_elements_on_threads) {
  // More than are computed at a time, of both kinds.
  Pairs pairs;
  Triples triples;
  std::vector<double> long_chain, weights;
  for (int i = 0; i < 20000; ++i) {
    long_chain.push_back(0.25 * (i % 7));
    if (i > 0) pairs.push_back({i - 1, i}), weights.push_back(1 + i % 3);
    if (i > 1) triples.push_back({i - 2, i - 1, i});
  }
  auto alone = both(long_chain, sum_over(pairs, weights), sum_over(triples));
  // In row i: springs of 1 + i % 3 and 1 + (i + 1) % 3, hinges 1, -4, 6, -4, 1.
  for (std::size_t i = 2; i + 2 < long_chain.size(); ++i) {
    const double before = 1.0 + double(i % 3), after = 1.0 + double((i + 1) % 3);
    BOOST_REQUIRE(alone.hessian(i, i) == before + after + 6);
    BOOST_REQUIRE(alone.hessian(i, i - 1) == -before - 4);
    BOOST_REQUIRE(alone.hessian(i, i + 2) == 1);
  }
  auto threaded = both(on_threads{3}, long_chain, sum_over(pairs, weights), sum_over(triples));
  BOOST_TEST(threaded.value == alone.value);
  BOOST_TEST((threaded.gradient == alone.gradient));
  BOOST_TEST((threaded.hessian.values == alone.hessian.values));
  both(on_threads{2}, into(alone), long_chain, sum_over(pairs, weights), sum_over(triples));
  BOOST_TEST((threaded.hessian.values == alone.hessian.values));
}

BOOST_AUTO_TEST_CASE(wrong_kinds) {
  auto r = both(x, sum_over(links, stiffness), sum_over(bends));
  BOOST_TEST(message_of([&] {
               both(into(r), x, sum_over(links, stiffness), sum_over(Triples{{0, 1, 2}, {0, 5, 1}}));
             }) == "tapeless: assemble: sum 1: element 1 refers to entry 5 of a vector of length 5");
  BOOST_TEST(message_of([&] { both(into(r), x, sum_over(Pairs{{0, 1}}, stiffness), sum_over(bends)); }) ==
             "tapeless: assemble: sum 0: data 0 has 3 entries for 1 elements");
  BOOST_TEST(message_of([&] {
               both(into(r), nodes_of(x, no_nodes, std::vector<bool>(4)), sum_over(links, stiffness), sum_over(bends));
             }) == "tapeless: assemble: held has 4 flags for a vector of 5");
  BOOST_TEST(r.gradient == forces(chain));
  constexpr auto product = [](auto a, auto b) { return a * b; };
  constexpr auto slope = [](auto b) { return b; };
  const auto verb = assemble(value_and_gradient(product), value_and_gradient(slope));
  const std::vector<int> two{0, 1}, three{0, 1, 1};
  BOOST_TEST(message_of([&] { verb(x, stiffness, sum_over(two, three), sum_over(no_nodes, two)); }) ==
             "tapeless: assemble: sum 0: nodes 1: 3 elements, and nodes 0 has 2");
  BOOST_TEST(message_of([&] { verb(x, stiffness, sum_over(two, two), sum_over(no_nodes, std::vector{3})); }) ==
             "tapeless: assemble: sum 1: nodes 1: element 0 refers to entry 3 of a vector of length 3");
  BOOST_TEST(message_of([&] {
               verb(x, nodes_of(stiffness, no_nodes, std::vector<bool>(4)), sum_over(two, two),
                    sum_over(no_nodes, two));
             }) == "tapeless: assemble: nodes 1: held has 4 flags for a vector of 3");
}
