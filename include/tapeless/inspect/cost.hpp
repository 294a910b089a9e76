#pragma once

#include <tapeless/evaluate/loops/run_loop.hpp>
#include <tapeless/gradient/verbs.hpp>

#include <array>
#include <cstddef>
#include <iosfwd>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// Prints the nonzero counts: `additions 1, multiplications 2`.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, const operation_counts& counts) {
  bool first = true;
  const auto write = [&](const char* kind, int count) {
    if (count) stream << (first ? "" : ", ") << kind << ' ' << count;
    first = first && !count;
  };
  write("additions", counts.additions);
  write("multiplications", counts.multiplications);
  write("divisions", counts.divisions);
  write("negations", counts.negations);
  write("comparisons", counts.comparisons);
  write("selections", counts.selections);
  write("functions", counts.functions);
  return first ? stream << "no operations" : stream;
}

namespace detail {

/// The program that a verb evaluates, made of `Source`; where that is none, `Source` and its problem.
template <class Verb, class Source, class... Variables>
constexpr auto evaluated_program() {
  if constexpr (program::problem_of<Source> == program::fault::none)
    return std::type_identity<typename Verb::template evaluated<Source, Variables...>>{};
  else
    return std::type_identity<Source>{};
}

/// The program that a formula or the result of a verb evaluates.
template <class G>
using program_of = decltype(evaluated_program<called<G>, typename called<G>::source>());

/// The program of a verb's result for a traced function with arguments of the types `Args`.
template <class... Args, class Verb, class F, class Positions>
constexpr auto program_of_function(const called_with_arguments<Verb, F, Positions>&) {
  using layout = argument_layout<std::remove_cvref_t<Args>...>;
  return []<std::size_t... P>(std::index_sequence<P...>) {
    using variables = typename Verb::template variables<layout, P...>;
    return evaluated_program<Verb, traced_program<F, Args...>, variables>();
  }(positions_of<Positions, Args...>{});
}

/// What `measure` finds in a program, where there is one.
template <class Program, class Measure>
constexpr auto measured(Measure measure) {
  constexpr program::fault problem = program::problem_of<Program>;
  constexpr bool fits = problem != program::fault::too_large, made = problem == program::fault::none || !fits;
  static_assert(fits,
                "tapeless: with its derivatives, the program has more nodes than TAPELESS_MAX_NODES (default 16384); "
                "define a larger one before the first include [TL230]");
  static_assert(made,
                "tapeless: the compiler cannot run the function (call it to see why), or stopped the constant "
                "evaluation that builds the program; raise its limit, clang -fconstexpr-steps=100000000, g++ "
                "-fconstexpr-ops-limit=1000000000 -fconstexpr-loop-limit=100000000 [TL234]");
  if constexpr (fits && made)
    return measure(Program::value);
  else
    return decltype(measure(program::program<program::program_size{}>{})){};
}

/// The number of operations on the longest way from a leaf to an output, where products joined with sums are one.
inline constexpr auto longest_chain_of = [](const auto& p) {
  std::array<int, std::tuple_size_v<decltype(p.nodes)>> length{};
  int longest = 0;
  for (std::size_t i = 0; i < length.size(); ++i) {
    const program::node& n = p.nodes[i];
    for (int j = 0; j < n.count; ++j)
      if (const int operand = length[static_cast<std::size_t>(p.edges[static_cast<std::size_t>(n.first + j)])];
          operand > length[i])
        length[i] = operand;
    if (n.kind == program::node_kind::apply && n.count > 0 && n.operation->cost.total() > 0) ++length[i];
  }
  for (const int output : p.outputs)
    if (const int length_of_output = length[static_cast<std::size_t>(output)]; length_of_output > longest)
      longest = length_of_output;
  return longest;
};

inline constexpr auto count_operations = [](const auto& p) {
  operation_counts counts;
  for (const program::node& n : p.nodes)
    if (n.kind == program::node_kind::apply && n.count > 0) counts += n.operation->cost;
  return counts;
};

}  // namespace detail

/// The number of operations that `f(...)` executes, or that the result of a verb such as `gradient(f)` or
/// `batched(gradient(f))` executes, for each element of a batch. Over tensors the number depends on the extents;
/// `schedule(step)` shows what the loops do.
template <class G>
constexpr operation_counts cost(const G&) {
  constexpr bool of_formulas = requires { typename detail::called<G>::source; };
  static_assert(of_formulas,
                "tapeless: of a function, say for which arguments: cost<double, double>(gradient(f)) [TL215]");
  constexpr bool of_numbers = [] {
    if constexpr (of_formulas)
      return !detail::takes_tensors<typename detail::called<G>::source>;
    else
      return true;
  }();
  static_assert(of_numbers, "tapeless: cost counts operations on numbers; for tensors use schedule(step) [TL216]");
  if constexpr (of_formulas && of_numbers)
    return detail::measured<typename detail::program_of<G>::type>(detail::count_operations);
  else
    return {};
}

/// The number of operations that a function, or a verb of a function, executes for arguments of the given types:
/// `cost<double, std::array<double, 3>>(value_and_gradient(f))`.
template <class Argument, class... Arguments, class G>
constexpr operation_counts cost(const G& g) {
  using detail::shape_of;
  constexpr bool of_numbers = !(shape_of<std::remove_cvref_t<Argument>>::over_tensors || ... ||
                                shape_of<std::remove_cvref_t<Arguments>>::over_tensors);
  static_assert(of_numbers, "tapeless: cost counts operations on numbers; for tensors use schedule(step) [TL216]");
  if constexpr (!of_numbers)
    return {};
  else if constexpr (requires { typename G::of_elements_of; })
    return cost<Argument, Arguments...>(g.wrapped());
  else if constexpr (requires { detail::program_of_function<Argument, Arguments...>(g); })
    return detail::measured<typename decltype(detail::program_of_function<Argument, Arguments...>(g))::type>(
        detail::count_operations);
  else
    return cost<Argument, Arguments...>(value(g));
}

/// The length of the longest chain of operations that depend on each other, among those that `cost(f)` counts. A
/// processor needs at least the time of this chain, however many operations it executes in parallel. A sum that takes a
/// product, a b + c, counts as one operation.
template <class G>
constexpr int longest_chain(const G&) {
  return detail::measured<typename detail::program_of<G>::type>(detail::longest_chain_of);
}
/// The same for a function, or a verb of a function, with arguments of the given types.
template <class Argument, class... Arguments, class G>
constexpr int longest_chain(const G& verb) {
  return detail::measured<typename decltype(detail::program_of_function<Argument, Arguments...>(verb))::type>(
      detail::longest_chain_of);
}

/// The memory that a call needs, in bytes: on the stack, with what its loops need there, before the compiler removes
/// what fits in registers, and on the heap for each step of its loops.
struct memory_use {
  std::size_t frame = 0;
  std::size_t step = 0;

  bool operator==(const memory_use&) const = default;
};

namespace detail {

template <class P, class T>
constexpr memory_use memory_of() {
  memory_use all{sizeof(scalar::evaluation<P, T>), 0};
  std::size_t locals = 0;
  const auto add = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    if constexpr (program::is_loop(P::value.nodes[I])) {
      using loop = scalar::detail::loop_in_program<P, T, I>;
      using histories = decltype(loop::histories(std::declval<const typename scalar::evaluation<P, T>::values&>()));
      if constexpr (scalar::detail::numbers_in_frame<P, T, I>() == 0)
        all.step += static_cast<std::size_t>(loop::loop::columns) * sizeof(T);
      if constexpr (loop::loop::keeps)  // the schedule
        all.frame += static_cast<std::size_t>(loop::shape.checkpoints + 2) * sizeof(std::size_t);
      // What it computes again; of a long one its operands, those that no write can change, and a step.
      std::size_t here = sizeof(histories);
      if constexpr (!loop::is_short)
        here += 2 * sizeof(scalar::detail::scan_operands<T, typename loop::Op>) +
                memory_of<typename loop::loop::body, T>().frame;
      locals = here > locals ? here : locals;
    }
  };
  scalar::detail::in_blocks<P::value.nodes.size()>(
      [&]<std::size_t... I>(std::index_sequence<I...>) { (add(std::integral_constant<std::size_t, I>{}), ...); });
  all.frame += locals;
  return all;
}

}  // namespace detail

/// The memory of a verb of a function with arguments of the types `Args`, as a constant: `memory<double,
/// int>(gradient(f, wrt<0>))`. Loops inside the bodies of loops are not counted, since they return their memory after
/// each step.
template <class... Args, class G>
constexpr memory_use memory(const G& verb) {
  using program = typename decltype(detail::program_of_function<Args...>(verb))::type;
  return detail::memory_of<program, detail::function_real_t<Args...>>();
}

}  // namespace tapeless
