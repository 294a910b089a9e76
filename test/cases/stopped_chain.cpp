// tensorflow/python/ops/gradients_test.py testStopGradients: the chain a -> b -> c -> d with each of the 16 subsets of
// its nodes stopped by a list, differentiated with respect to each of the 15 subsets of its nodes; the same partial
// derivatives as with stop_gradient in the formula and in a traced function.
#include "check.hpp"

#include <bit>
#include <cmath>

namespace cases {
namespace {

constexpr bool has(unsigned nodes, std::size_t node) { return (nodes >> node & 1U) != 0; }

template <bool stopped, class E>
constexpr auto stop_if(const E& e) {
  if constexpr (stopped) {
    return stop_gradient(e);
  } else {
    return e;
  }
}

// Node n is stopped if bit n of `stopped` is set. Each node carries a change of its own behind its stop, so that its
// direct partial derivative is the one with respect to that change.
template <unsigned stopped>
struct chain {
  constexpr auto operator()(auto start, auto change_a, auto change_b, auto change_c, auto change_d) const {
    const auto a = stop_if<has(stopped, 0)>(start) + change_a;
    const auto b = stop_if<has(stopped, 1)>(sin(a)) + change_b;
    const auto c = stop_if<has(stopped, 2)>(a * b) + change_c;
    return stop_if<has(stopped, 3)>(b * c) + change_d;
  }
};

constexpr auto start = variable<"start">;
constexpr std::tuple changes{variable<"change_a">, variable<"change_b">, variable<"change_c">, variable<"change_d">};

// The nodes of the open chain before their changes, to be listed.
constexpr auto a = start + std::get<0>(changes);
constexpr auto b = sin(a) + std::get<1>(changes);
constexpr auto c = a * b + std::get<2>(changes);
constexpr std::tuple nodes{start, sin(a), a* b, b* c};

// The chain rule by hand, each stopped node a number that does not depend on the nodes before it.
std::array<double, 4> expected_partials(unsigned stopped, double at) {
  const double at_b = std::sin(at);
  const double at_c = at * at_b;
  const double open_b = has(stopped, 1) ? 0.0 : 1.0;
  const double open_c = has(stopped, 2) ? 0.0 : 1.0;
  const double open_d = has(stopped, 3) ? 0.0 : 1.0;
  const double by_c = open_d * at_b;
  const double by_b = open_d * at_c + by_c * open_c * at;
  const double by_a = by_b * open_b * std::cos(at) + by_c * open_c * at_b;
  return {by_a, by_b, by_c, 1.0};
}

// Whether an unstopped path leads from the node to d.
constexpr bool connected(unsigned stopped, std::size_t node) {
  if (node == 3) return true;
  if (has(stopped, 3)) return false;
  return node > 0 || !has(stopped, 1) || !has(stopped, 2);
}

// The nodes whose bits are set.
template <unsigned set>
constexpr auto members = [] {
  std::array<std::size_t, std::popcount(set)> result{};
  for (std::size_t node = 0, next = 0; node < 4; ++node) {
    if (has(set, node)) result[next++] = node;
  }
  return result;
}();
template <unsigned set>
using member_indices = std::make_index_sequence<members<set>.size()>;

template <unsigned stopped>
constexpr auto formula_of_chain = std::apply(chain<stopped>{}, std::tuple_cat(std::tuple{start}, changes));

template <unsigned stopped, std::size_t... i>
constexpr auto list_of_stops(std::index_sequence<i...>) {
  return tapeless::stop_gradients(std::get<members<stopped>[i]>(nodes)...);
}

// The entries of `gradient` for the nodes `wanted`: zero by type where no path is open.
template <unsigned stopped, unsigned wanted, class Gradient, std::size_t... i>
void check_partials(const Gradient& gradient, const std::array<double, 4>& expected, std::index_sequence<i...>) {
  constexpr auto node = members<wanted>;
  static_assert(((std::is_same_v<std::remove_cvref_t<decltype(gradient[std::get<node[i]>(changes)])>, tapeless::Zero> !=
                  connected(stopped, node[i])) &&
                 ...));
  check_agree("gradient", std::array{static_cast<double>(gradient[std::get<node[i]>(changes)])...},
              std::array{expected[node[i]]...});
}

template <class Step>
auto run_from(const Step& step, double at) {
  return step(start = at, std::get<0>(changes) = 0.0, std::get<1>(changes) = 0.0, std::get<2>(changes) = 0.0,
              std::get<3>(changes) = 0.0);
}

template <unsigned stopped, unsigned wanted, std::size_t... i>
void check_list(double at, const std::array<double, 4>& expected, std::index_sequence<i...> indices) {
  constexpr auto list = list_of_stops<stopped>(member_indices<stopped>{});
  constexpr auto variables = tapeless::wrt(std::get<members<wanted>[i]>(changes)...);
  const auto gradient = run_from(tapeless::gradient(formula_of_chain<0>, variables, list), at);
  check_partials<stopped, wanted>(gradient, expected, indices);
}

template <unsigned stopped>
void check_chain(double at) {
  const auto expected = expected_partials(stopped, at);
  BOOST_TEST_CONTEXT("stopped nodes " << stopped) {
    const auto all = std::apply([](auto... change) { return tapeless::wrt(change...); }, changes);
    check_partials<stopped, 15>(run_from(tapeless::gradient(formula_of_chain<stopped>, all), at), expected,
                                member_indices<15>{});
    with_indices<15>([&](auto... i) { (check_list<stopped, i + 1>(at, expected, member_indices<i + 1>{}), ...); });

    const auto traced = tapeless::gradient(chain<stopped>{})(at, 0.0, 0.0, 0.0, 0.0);
    with_indices<4>([&](auto... i) {
      check_agree("traced partials", std::array{static_cast<double>(std::get<i + 1>(traced))...}, expected);
    });
    check_agree("traced partial of the start", static_cast<double>(std::get<0>(traced)),
                has(stopped, 0) ? 0.0 : expected[0]);
  }
}

BOOST_AUTO_TEST_SUITE(cases_stopped_chain)

BOOST_AUTO_TEST_CASE(PP01_all_stops_and_all_requested_nodes) {
  const volatile double at = 0.4;
  with_indices<16>([&](auto... stopped) { (check_chain<stopped>(at), ...); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
