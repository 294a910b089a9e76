// The engine compared with the plain evaluator over tensors: batches, and loops in them.
#include "agrees.hpp"

#include <utility>

using namespace tapeless_test;

BOOST_AUTO_TEST_CASE(batches) {
  constexpr auto S = variable<"S">;
  constexpr auto V = variable<"V">;
  const auto price = S * normal_cdf(S / V) - where(S < V, V * exp(-S), max(S, V));
  const engine_report report = compare_engines(batched(value_and_gradient(price, wrt(S, V))))(S = b, V = 0.7);
  BOOST_TEST_REQUIRE(report.checks.size() == 3u);
  BOOST_TEST(report.checks[2].output == "derivative by V");
  agrees(report);
  agrees(compare_engines(batched(hessian(price, wrt(S, V))))(S = x, V = w));
  agrees(compare_engines(batched(jacobian(outputs(price, S / V))))(S = b, V = 0.7));
  const auto f = [](auto u, auto v) { return u * sin(v) + softplus(u) / v; };
  agrees(compare_engines(batched(value_and_gradient(f)))(b, 0.7));
  agrees(compare_engines(batched(hessian(f)))(b, b));
  agrees(compare_engines(batched(hvp(f, tangent(1.0, b))))(b, 0.7));
  // Of each element a loop, by lanes and the rest.
  const auto filter = [](auto rate, auto signal) {
    const auto [last, all] = scan(
        [&](auto carry, auto e) {
          const auto next = carry + rate * (e - tanh(carry));
          return std::pair{next, next * e};
        },
        0.1 * rate, signal);
    return last + scan([](auto sum, auto e) { return sum + square(e); }, 0.0 * rate, all);
  };
  agrees(compare_engines(batched(value_and_gradient(filter)))(b, x));
  const std::vector<std::vector<double>> unequal{{.1, .2}, {.3}, {}, {.4, .5, .6}, {-1, -2}};
  agrees(compare_engines(batched(value_and_gradient(filter)))(0.3, unequal));
}
