// Operations of a step that look alike are laid side by side: counted in the steps of the program that is evaluated.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>

using namespace tapeless;

namespace {

/// Single operations, packs of operations, packs of variables, and operands of packs that are put side by side.
struct counts {
  int single = 0, packs = 0, variables = 0, put_together = 0;
  constexpr bool operator==(const counts&) const = default;
};

/// The program of x0, x1, ... x5, y0, ... y5 and c whose outputs `Body` makes of them.
template <class Body>
struct made {
  static constexpr program::builder run() {
    program::builder graph(program::rewrites::evaluation);
    std::array<traced, 6> x, y;
    for (int i = 0; i < 6; ++i) {
      x[static_cast<std::size_t>(i)] = traced(graph, graph.variable(i));
      y[static_cast<std::size_t>(i)] = traced(graph, graph.variable(6 + i));
    }
    for (const traced& each : Body{}(x, y, traced(graph, graph.variable(12))))
      graph.outputs.push_back(each.node_in(graph));
    return graph;
  }
};

template <class Body>
constexpr counts packed(Body) {
  using code = program::frozen<made<Body>>;
  constexpr auto& steps = program::packs_of<code>;
  counts result;
  for (std::size_t s = 0; s < static_cast<std::size_t>(steps.size); ++s) {
    const bool leaves = program::is_leaf(code::value[steps.member(s, 0)].kind);
    ++(leaves ? result.variables : steps.steps[s].count == 1 ? result.single : result.packs);
    for (const int source : steps.steps[s].sources) result.put_together += source == program::one_by_one;
  }
  return result;
}

/// The six results of `f` on the elements of x and y.
constexpr auto each = [](auto f, const auto& x, const auto& y) {
  std::array<traced, 6> all;
  for (std::size_t i = 0; i < 6; ++i) all[i] = f(x[i], y[i]);
  return all;
};

// Outputs side by side, and their operands down to the variables; c is the same in all lanes.
static_assert(packed([](auto x, auto y, auto c) {
                return each([=](auto a, auto b) { return tanh(a * b) * c + a; }, x, y);
              }) == counts{0, 4, 2, 0});
// The factors of a product, in whatever order they stand.
static_assert(packed([](auto x, auto y, auto) {
                auto all = each([](auto a, auto b) { return exp(a) * b; }, x, y);
                for (std::size_t i = 0; i < 6; i += 2) all[i] = y[i] * exp(x[i]);
                return all;
              }) == counts{0, 2, 2, 0});
// Functions whose values go different ways.
static_assert(packed([](auto x, auto, auto c) {
                traced sum = c;
                for (const traced& a : x) sum = sum * exp(a);
                return std::array{sum};
              }) == counts{6, 1, 1, 0});
// What needs another of its kind is not beside it, and fewer than four are no pack.
static_assert(packed([](auto x, auto, auto c) {
                traced value = c;
                for (const traced& a : x) value = exp(value + a);
                return std::array{value};
              }) == counts{12, 0, 0, 0});
static_assert(packed([](auto x, auto, auto) { return std::array{exp(x[0]), exp(x[1]), exp(x[2])}; }) ==
              counts{3, 0, 0, 0});
// A long chain of functions, with the compilers' default limits.
static_assert(packed([](auto x, auto, auto c) {
                traced value = c;
                for (std::size_t i = 0; i < 1000; ++i) value = exp(value + x[i % 6]);
                return std::array{value};
              }) == counts{2000, 0, 0, 0});
// A cheap operation is no pack if both operands would be put together; a division is.
template <bool Divided>
constexpr auto turned = [](auto x, auto y, auto) {
  const std::array<traced, 6> first = each([](auto a, auto b) { return exp(a - b); }, x, y);
  std::array<traced, 12> all;
  for (std::size_t i = 0; i < 6; ++i) {
    const traced a = first[(i + 1) % 6], b = first[(i + 2) % 6];
    all[i] = first[i], all[6 + i] = Divided ? a / b : a - b;
  }
  return all;
};
static_assert(packed(turned<false>) == counts{6, 2, 2, 0});
static_assert(packed(turned<true>) == counts{0, 3, 2, 2});

// Packs are used for functions and divisions, and what surrounds them.
template <class Body>
constexpr bool is_used(Body) {
  return program::is_packed<program::frozen<made<Body>>>;
}
static_assert(is_used([](auto x, auto y, auto c) {
  return each([=](auto a, auto b) { return tanh(a * b) * c + a; }, x, y);
}));
static_assert(!is_used([](auto x, auto y, auto c) {
  return each([=](auto a, auto b) { return (a * b + c) * a - b; }, x, y);
}));
static_assert(!is_used([](auto x, auto, auto c) {
  traced sum = exp(c);
  for (const traced& a : x) sum = sum * a + exp(sum);
  return std::array{sum};
}));

}  // namespace
