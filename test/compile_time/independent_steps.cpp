// Which loops make several steps at a time: what a step does with each carry, and that `verify` finds a wrong answer.
#include <tapeless/program/graph/verify_independent_steps.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <string_view>

using namespace tapeless;
using program::carry_role;

namespace {

/// The steps of the carries a and b, and an element x: their next ones, and what more is stacked.
template <class F>
struct recorded {
  static constexpr program::builder run() {
    program::builder graph(program::stage::evaluation);
    const traced a(graph, graph.variable(0)), b(graph, graph.variable(1)), x(graph, graph.variable(2));
    for (const traced& each : F()(a, b, x)) graph.outputs.push_back(each.node_in(graph));
    return graph;
  }
};
template <class F>
struct finished {
  static constexpr program::builder run() {
    constexpr auto& from = program::frozen<recorded<F>>::value;
    return program::finish(from, from.outputs);
  }
};
template <class F>
using step = program::frozen<finished<F>>;

/// A letter for each carry. If all have a role, the verifier takes these roles and no others, else none.
template <class F>
constexpr bool has(F, std::string_view expected) {
  constexpr auto& code = step<F>::value;
  constexpr std::array all{carry_role::same, carry_role::sum, carry_role::flag};
  const auto roles = program::roles_of_carries(step<F>::view(), code.outputs, 2);
  bool right = true, independent = true;
  for (int k = 0; k < 2; ++k) {
    right &= "-=+f"[static_cast<std::size_t>(roles[k])] == expected[static_cast<std::size_t>(k)];
    independent &= roles[k] != carry_role::state;
  }
  for (const carry_role a : all)
    for (const carry_role b : all) {
      const bool sound = program::has_role(step<F>::view(), code.outputs, 0, a) &&
                         program::has_role(step<F>::view(), code.outputs, 1, b);
      right &= sound == (independent && a == roles[0] && b == roles[1]);
    }
  return right;
}
using two = std::array<traced, 2>;
using three = std::array<traced, 3>;

// Sums.
static_assert(has([](auto a, auto b, auto x) { return two{a + exp(x), b - x * x}; }, "++"));
static_assert(has([](auto a, auto b, auto x) { return two{exp(x) + a + x, x * x + b}; }, "++"));

static_assert(has([](auto a, auto b, auto x) { return two{((a - x) + sin(x)) - 1, b}; }, "+="));
// Products are joined with sums, and with differences.
static_assert(has([](auto a, auto b, auto x) { return two{x * exp(x) + a, b - x * exp(x)}; }, "++"));
static_assert(has([](auto a, auto b, auto x) { return two{a * x + exp(x), x - b * exp(x)}; }, "--"));
static_assert(has([](auto a, auto b, auto x) { return two{x * exp(x) - a, b * b + x}; }, "--"));
// What is left as it is can be used by all.
static_assert(has([](auto a, auto b, auto x) { return two{a + b * x, b}; }, "+="));
static_assert(has([](auto a, auto, auto x) { return two{a, x + a}; }, "=-"));
// The difference to a sum, a multiple of it, a function of it, twice of it.
static_assert(has([](auto a, auto b, auto x) { return two{x - a, b * 0.5 + x}; }, "--"));
static_assert(has([](auto a, auto b, auto x) { return two{exp(a) + x, x + b}; }, "-+"));
static_assert(has([](auto a, auto b, auto x) { return two{(a + x) + a, b + x}; }, "-+"));
static_assert(has([](auto a, auto b, auto x) { return two{x * a + x, b + x}; }, "-+"));
static_assert(has([](auto a, auto b, auto x) { return two{x * a, b / x}; }, "--"));
// A sum that the other carry, what is stacked, or a condition reads.
static_assert(has([](auto a, auto b, auto x) { return two{a + x, b + (a + x)}; }, "--"));
static_assert(has([](auto a, auto b, auto x) { return three{a + x, b + x, a + x}; }, "-+"));
static_assert(has([](auto a, auto b, auto x) { return three{a + x, b + x, a * 2}; }, "-+"));
static_assert(has([](auto a, auto b, auto x) { return three{a + x, b + x, x * x}; }, "++"));
static_assert(has([](auto a, auto b, auto x) { return two{where(b > 1, a + x, a), b + x}; }, "--"));
// Carries that change places, and one that the step makes anew.
static_assert(has([](auto a, auto b, auto x) { return two{b + x, a + x}; }, "--"));
static_assert(has([](auto, auto b, auto x) { return two{x * x, b + x}; }, "-+"));
// Flags, set to a constant; not to a number, and not where the condition reads a carry.
static_assert(has([](auto a, auto b, auto x) { return two{where(x > 0, 1, a), where(x > 0, b, 2)}; }, "ff"));
static_assert(has([](auto a, auto b, auto x) { return two{where(x > 0, x, a), where(b > 0, b, 2)}; }, "--"));
static_assert(has([](auto a, auto b, auto x) { return two{where(x > 0, 1, a), b + a}; }, "--"));
static_assert(has([](auto a, auto b, auto x) { return three{where(x > 0, 1, a), b, x * where(x > 0, 1, a)}; }, "-="));
static_assert(has([](auto a, auto b, auto) { return two{where(b > 0, 1, a), b}; }, "f="));
static_assert(has([](auto a, auto b, auto x) { return two{where(x > 0, 1, a + x), where(x > 0, b + x, b)}; }, "--"));

// Bodies that lanes have functions for.
template <class F, operation::scan_shape Shape, int Read = -1, auto Kept = program::detail::no_nodes{}>
constexpr bool fits() {
  using loop = operation::Scan<step<F>, Shape>;
  constexpr auto live = [] {
    program::detail::output_flags<loop> flags;
    if (Read >= 0) flags.set(Read);
    return flags;
  }();
  return scalar::detail::fits_lanes<scalar::detail::loop_code<loop, live, step<F>, Kept>>;
}
constexpr operation::scan_shape shape{.carries = 2, .sequences = 1};
template <class F>
constexpr bool in_lanes(F) {
  return fits<F, shape>();
}
static_assert(in_lanes([](auto a, auto b, auto x) {
  return two{a + log(1 + sqrt(abs(x))) * exp(-x), b + log1p(x) + tanh(max(x, 0.5)) / x};
}));
static_assert(in_lanes([](auto a, auto b, auto x) { return two{a + where(x > 0 && !(x == 1), relu(x), sign(x)), b}; }));
static_assert(!in_lanes([](auto a, auto b, auto x) { return two{a + sin(x), b}; }));
static_assert(!in_lanes([](auto a, auto b, auto x) { return two{a + lgamma(x), b}; }));
template <int Products>
constexpr auto long_step = [](auto a, auto b, auto x) {
  auto product = x;
  for (int i = 0; i < Products; ++i) product = product * (x + i);
  return two{a + product, b};
};
static_assert(in_lanes(long_step<150>) && !in_lanes(long_step<250>));
// Loops that do more than sum.
using sums = decltype([](auto a, auto b, auto x) { return two{a + x, b}; });
static_assert(fits<sums, shape>() &&
              fits<sums, operation::scan_shape{.carries = 2, .sequences = 1, .reversed = true}>());
static_assert(!fits<sums, operation::scan_shape{.carries = 2, .sequences = 1, .checkpoints = 3}>());
static_assert(!fits<sums, operation::scan_shape{.carries = 2, .sequences = 1, .ends = true}>());
static_assert(!fits<sums, operation::scan_shape{.carries = 2, .sequences = 1, .once = true}>());
static_assert(!fits<sums, shape, shape.history(0)>());
static_assert(!fits<sums, shape, -1, program::detail::index_tuple<1>{}>());
#ifdef TAPELESS_HAS_PACKS
using loop = operation::Scan<step<sums>, shape>;
constexpr program::detail::output_flags<loop> none{};
using code = scalar::detail::loop_code<loop, none, program::frozen<program::finish_body<loop, none>>>;
static_assert(scalar::detail::steps_at_a_time<code, double> >= 4);
#endif

}  // namespace
