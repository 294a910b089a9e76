// tensorflow/python/ops/gradients_test.py testStopGradients: the chain a -> b -> c -> d with each of the 16 subsets
// of its nodes stopped, differentiated with respect to each of the 15 subsets of its nodes.
#include "check.hpp"

#include <cmath>

namespace cases {
namespace {

// Node n is stopped if bit n of `stopped` is set. Each node carries a change of its own behind its stop, so that its
// direct partial derivative is the one with respect to that change.
template <unsigned stopped>
struct chain {
  template <unsigned node, class E>
  static constexpr auto stop(const E& e) {
    if constexpr ((stopped >> node & 1U) != 0) {
      return stop_gradient(e);
    } else {
      return e;
    }
  }

  constexpr auto operator()(auto origin, auto change_a, auto change_b, auto change_c, auto change_d) const {
    const auto a = stop<0>(origin) + change_a;
    const auto b = stop<1>(tanh(0.5 * a + 0.1)) + change_b;
    const auto c = stop<2>(tanh(0.3 * a + 0.7 * b - 0.2)) + change_c;
    return stop<3>(tanh(1.1 * b - 0.9 * c + 0.2)) + change_d;
  }
};

constexpr auto start = variable<"start">;
constexpr std::tuple changes{variable<"change_a">, variable<"change_b">, variable<"change_c">, variable<"change_d">};
constexpr double at = 0.4;

constexpr bool has(unsigned nodes, unsigned node) { return (nodes >> node & 1U) != 0; }

// The chain rule by hand, each stopped node a number that does not depend on the nodes before it.
std::array<double, 4> expected_partials(unsigned stopped) {
  const double b = std::tanh(0.5 * at + 0.1);
  const double c = std::tanh(0.3 * at + 0.7 * b - 0.2);
  const double d = std::tanh(1.1 * b - 0.9 * c + 0.2);
  const double through_b = has(stopped, 1) ? 0.0 : 1.0 - b * b;
  const double through_c = has(stopped, 2) ? 0.0 : 1.0 - c * c;
  const double through_d = has(stopped, 3) ? 0.0 : 1.0 - d * d;
  const double by_c = -0.9 * through_d;
  const double by_b = 1.1 * through_d + by_c * 0.7 * through_c;
  const double by_a = by_b * 0.5 * through_b + by_c * 0.3 * through_c;
  return {by_a, by_b, by_c, 1.0};
}

// Whether an unstopped path leads from the node to d.
constexpr bool connected(unsigned stopped, unsigned node) {
  if (node == 3) return true;
  if (has(stopped, 3)) return false;
  return node > 0 || !has(stopped, 1) || !has(stopped, 2);
}

template <unsigned wanted, std::size_t i>
constexpr auto change_if_wanted() {
  if constexpr (has(wanted, i)) {
    return std::tuple{std::get<i>(changes)};
  } else {
    return std::tuple<>{};
  }
}

template <unsigned stopped, unsigned wanted>
void check_partials(const std::array<double, 4>& expected) {
  constexpr auto formula = std::apply(chain<stopped>{}, std::tuple_cat(std::tuple{start}, changes));
  const auto gradient = with_indices<4>([&](auto... i) {
    const auto step = std::apply([&](auto... x) { return tapeless::gradient(formula, tapeless::wrt(x...)); },
                                 std::tuple_cat(change_if_wanted<wanted, i>()...));
    return step(start = at, (std::get<i>(changes) = 0.0)...);
  });
  with_indices<4>([&](auto... i) {
    (
        [&](auto node) {
          if constexpr (has(wanted, node)) {
            const auto partial = gradient[std::get<node>(changes)];
            static_assert(std::is_same_v<std::remove_const_t<decltype(partial)>, tapeless::Zero> !=
                          connected(stopped, node));
            check_agree("partial", static_cast<double>(partial), expected[node]);
          }
        }(i),
        ...);
  });
}

template <unsigned stopped>
void check_chain() {
  const auto expected = expected_partials(stopped);
  BOOST_TEST_CONTEXT("stopped nodes " << stopped) {
    with_indices<15>([&](auto... i) { (check_partials<stopped, i + 1>(expected), ...); });

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
  with_indices<16>([](auto... stopped) { (check_chain<stopped>(), ...); });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cases
