// Operations of a function that look alike are laid side by side: in how few steps it is computed, and what stays
// alone.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <utility>

using namespace tapeless;

namespace {

/// The program of the numbers x0, ... x5, y0, ... y5 and c.
template <class F>
struct recorded {
  static constexpr program::builder run() {
    program::builder graph(program::stage::evaluation);
    std::array<traced, 6> x, y;
    for (int i = 0; i < 6; ++i) {
      x[static_cast<std::size_t>(i)] = traced(graph, graph.variable(i));
      y[static_cast<std::size_t>(i)] = traced(graph, graph.variable(6 + i));
    }
    for (const traced& each : F()(x, y, traced(graph, graph.variable(12))))
      graph.outputs.push_back(each.node_in(graph));
    return graph;
  }
};
template <class F>
using code = program::frozen<recorded<F>>;

/// Steps, of one operation or of a pack; those of one; and operands of packs that are put together value by value.
struct counts {
  int steps = 0, single = 0, put_together = 0;
};
template <class F>
constexpr counts packed(F) {
  constexpr auto& packs = program::packs_of<code<F>>;
  static_assert(packs.size > 100 || program::find_fault(packs, code<F>::view()).rule == program::pack_rule::none);
  counts result;
  for (std::size_t s = 0; s < static_cast<std::size_t>(packs.size); ++s) {
    if (program::is_leaf(code<F>::value.nodes[static_cast<std::size_t>(packs.member(s, 0))].kind)) continue;
    ++result.steps, result.single += packs.steps[s].count == 1;
    for (const int source : packs.steps[s].sources) result.put_together += source == program::one_by_one;
  }
  return result;
}
constexpr bool within(const counts& found, const counts& most) {
  return found.steps <= most.steps && found.single <= most.single && found.put_together <= most.put_together;
}

/// The six results of `f` on the elements of x and y.
constexpr auto each = [](auto f, const auto& x, const auto& y) {
  auto all = x;
  for (std::size_t i = 0; i < 6; ++i) all[i] = f(x[i], y[i]);
  return all;
};

// Outputs side by side, and their operands down to the variables; c is the same in all lanes.
constexpr auto cells = [](const auto& x, const auto& y, auto c) {
  return each([=](auto a, auto b) { return tanh(a * b) * c + a; }, x, y);
};
static_assert(within(packed(cells), {.steps = 4}));
// The factors of a product, in whatever order they are computed.
static_assert(within(packed([](const auto& x, const auto& y, auto) {
                       auto all = x;
                       for (std::size_t i = 0; i < 6; i += 2) all[i] = exp(x[i]), all[i] = all[i] * tanh(y[i]);
                       for (std::size_t i = 1; i < 6; i += 2) all[i] = tanh(y[i]), all[i] = exp(x[i]) * all[i];
                       return all;
                     }),
                     {.steps = 3}));
// A difference keeps its order, also beside products whose factors have another.
static_assert(within(packed([](const auto& x, const auto& y, auto) {
                       return each([](auto a, auto b) { return (a * exp(b)) / (exp(a) - b); }, x, y);
                     }),
                     {.steps = 5}));
// Functions whose values go different ways.
static_assert(within(packed([](const auto& x, const auto&, auto c) {
                       for (const auto& a : x) c = c * exp(a);
                       return std::array{c};
                     }),
                     {.steps = 7, .single = 6}));
// What needs another of its kind is not beside it, with the compilers' default limits, and fewer than four are no pack.
template <std::size_t Length>
constexpr auto chain = [](const auto& x, const auto&, auto c) {
  for (std::size_t i = 0; i < Length; ++i) c = exp(c + x[i % 6]);
  return std::array{c};
};
static_assert(packed(chain<6>).single == 12 && packed(chain<1000>).single == 2000);
static_assert(packed([](const auto& x, const auto&, auto) {
                return std::array{exp(x[0]), exp(x[1]), exp(x[2])};
              }).single == 3);
// A cheap operation is no pack if both operands would be put together; a division is.
template <bool Divided>
constexpr auto turned = [](const auto& x, const auto& y, auto c) {
  const auto first = each([](auto a, auto b) { return exp(a - b); }, x, y);
  std::array<decltype(c), 12> all;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto a = first[(i + 1) % 6], b = first[(i + 2) % 6];
    all[i] = first[i], all[6 + i] = Divided ? a / b : a - b;
  }
  return all;
};
static_assert(within(packed(turned<false>), {.steps = 8, .single = 6}));
static_assert(within(packed(turned<true>), {.steps = 3, .put_together = 2}));

#ifdef TAPELESS_HAS_PACKS
// Variables that stand side by side in memory, here all in one array, are read from there; others are put together.
struct in_one_array {
  template <int I>
  static constexpr scalar::memory_place place() {
    return {0, I};
  }
};
template <class F>
constexpr int read_from_memory(F) {
  using steps = scalar::detail::packed_steps<code<F>, double, in_one_array>;
  return []<std::size_t... S>(std::index_sequence<S...>) {
    return (steps::template is_memory<S>() + ...);
  }(std::make_index_sequence<static_cast<std::size_t>(program::packs_of<code<F>>.size)>{});
}
static_assert(read_from_memory(cells) == 2);
static_assert(read_from_memory([](const auto& x, const auto& y, auto) {
                auto all = x;
                for (std::size_t i = 0; i < 6; ++i) all[i] = tanh(x[(i + 1) % 6] - y[i]);
                return all;
              }) == 1);
#endif

// Packs are used for functions and divisions, and what surrounds them.
template <class F>
constexpr bool is_used(F) {
  return program::is_packed<code<F>>;
}
static_assert(is_used(cells));
static_assert(!is_used([](const auto& x, const auto& y, auto c) {
  return each([=](auto a, auto b) { return (a * b + c) * a - b; }, x, y);
}));
static_assert(!is_used([](const auto& x, const auto&, auto c) {
  auto sum = exp(c);
  for (const auto& a : x) sum = sum * a + exp(sum);
  return std::array{sum};
}));

}  // namespace
