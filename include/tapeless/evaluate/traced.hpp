#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/program/lower/trace.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace tapeless::scalar::inline TAPELESS_TARGET {

/// A verb inside a traced function, `gradient(g)(a)` of an argument `a`: its program becomes part of the program that
/// is recorded, so that derivatives of derivatives need nothing of their own. It is the program before it is made ready
/// for evaluation: its stops hold in every further derivative too.
template <class Pass>
  requires requires { Pass::wanted(); }
class evaluation<program::frozen<Pass>, traced> {
  using source = typename Pass::source;
  static constexpr std::size_t count = Pass::wanted().size();
  std::array<traced, count> outputs_{};

  /// Which variables are sequences that loops read; the last says whether any is.
  static constexpr auto is_sequence = [] {
    std::array<bool, source::value.variables.size() + 1> found{};
    for (const program::node& each : source::value.nodes)
      if (each.kind == program::node_kind::variable && each.sequence)
        found[static_cast<std::size_t>(each.leaf)] = found.back() = true;
    return found;
  }();

  /// What is computed where all inputs are constants.
  template <class Inputs, std::size_t... O>
  static constexpr std::array<traced, count> computed(const Inputs& inputs, std::index_sequence<O...>) {
    const evaluation<program::frozen<Pass>, double> done(inputs);
    return {traced(static_cast<double>(done.template output<O>()))...};
  }

  template <class Inputs, std::size_t... V>
  static constexpr auto variables(const Inputs& inputs, std::index_sequence<V...>) {
    return std::array<traced, sizeof...(V)>{inputs.template variable<static_cast<int>(V)>()...};
  }
  template <class Inputs, std::size_t... N>
  static constexpr auto numbers(const Inputs& inputs, std::index_sequence<N...>) {
    return std::array<traced, sizeof...(N)>{inputs.template number<static_cast<int>(N)>()...};
  }

  /// How nodes are copied to the graph of the values.
  struct on_values : program::copied {
    const traced *values, *constants;
    constexpr int read(program::builder& to, program::graph_view, const program::node& n) const {
      return values[n.leaf].node_in(to);
    }
    constexpr int number(program::builder& to, int which) const { return constants[which].node_in(to); }
  };

 public:
  template <class Inputs>
  constexpr explicit evaluation(const Inputs& inputs) {
    constexpr auto& p = source::value;
    const auto values = variables(inputs, std::make_index_sequence<p.variables.size()>{});
    const auto constants = numbers(inputs, std::make_index_sequence<static_cast<std::size_t>(p.numbers)>{});
    program::builder* graph = nullptr;
    for (const traced& value : values) graph = graph ? graph : value.graph();
    if constexpr (!is_sequence.back())
      if (!graph) {
        outputs_ = computed(inputs, std::make_index_sequence<count>{});
        return;
      }
    for (std::size_t v = 0; v < values.size(); ++v)
      if (is_sequence[v] && !graph->can_be_sequence(values[v].node_in(*graph)))
        static_cast<void>(values[v].misused(program::fault::sequence_wanted));

    const std::span<const int> wanted = Pass::wanted();
    program::growing_array<int> moved(static_cast<int>(p.nodes.size()), -1);
    program::copy_nodes(*graph, source::view(), program::needed_nodes(source::view(), wanted), moved,
                        on_values{{}, values.data(), constants.data()});
    for (std::size_t o = 0; o < count; ++o) outputs_[o] = traced(*graph, moved[wanted[o]]);
  }
  // Nothing is computed before all is recorded.
  template <class Inputs>
  constexpr evaluation(const Inputs& inputs, in_parts) : evaluation(inputs) {}
  template <std::size_t, std::size_t>
  constexpr void compute() {}

  template <std::size_t I>
  constexpr auto output() const {
    if constexpr (source::value.is_absolute_zero(Pass::wanted()[I]))
      return Zero{};
    else
      return outputs_[I];
  }
};

}  // namespace tapeless::scalar::inline TAPELESS_TARGET
