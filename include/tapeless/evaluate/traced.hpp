#ifndef TAPELESS_EVALUATE_TRACED_HPP
#define TAPELESS_EVALUATE_TRACED_HPP

#include <tapeless/evaluate/scalar.hpp>
#include <tapeless/program/pass.hpp>
#include <tapeless/program/trace.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace tapeless::scalar {

/// A verb inside a traced function, `gradient(g)(a)` of an argument `a`: its program becomes part of the program that
/// is recorded, so that derivatives of derivatives need nothing of their own. It is the program before it is made ready
/// for evaluation: its stops hold in every further derivative too.
template <class Source, std::size_t Begin, std::size_t End>
class evaluation<program::frozen<program::finish_outputs<Source, Begin, End>>, traced> {
  std::array<traced, End - Begin> outputs_{};

  template <class Inputs, std::size_t... V>
  static constexpr auto variables(const Inputs& inputs, std::index_sequence<V...>) {
    return std::array<traced, sizeof...(V)>{inputs.template variable<static_cast<int>(V)>()...};
  }
  template <class Inputs, std::size_t... N>
  static constexpr auto numbers(const Inputs& inputs, std::index_sequence<N...>) {
    return std::array<traced, sizeof...(N)>{inputs.template number<static_cast<int>(N)>()...};
  }
  // Not constexpr: where there is no argument yet, the compiler says so.
  static void compute_with_plain_numbers_until_the_first_argument_enters() {}

 public:
  template <class Inputs>
  constexpr explicit evaluation(const Inputs& inputs) {
    constexpr auto& p = Source::value;
    const auto values = variables(inputs, std::make_index_sequence<p.variables.size()>{});
    const auto constants = numbers(inputs, std::make_index_sequence<static_cast<std::size_t>(p.numbers)>{});
    program::builder* graph = nullptr;
    for (const traced& value : values) graph = graph ? graph : value.graph();
    if (!graph) compute_with_plain_numbers_until_the_first_argument_enters();

    const std::span<const int> wanted = std::span(p.outputs).subspan(Begin, End - Begin);
    const auto needed = program::needed_nodes(Source::view(), wanted);
    program::growing_array<int> moved(static_cast<int>(p.nodes.size()), -1), operands;
    for (int i = 0; i < moved.size; ++i) {
      if (!needed[i]) continue;
      const program::node& n = p[i];
      operands.size = 0;
      for (int j = 0; j < n.count; ++j) operands.push_back(moved[p.operand(static_cast<std::size_t>(i), j)]);
      const std::size_t leaf = static_cast<std::size_t>(n.leaf);
      switch (n.kind) {
        case program::node_kind::variable: moved[i] = values[leaf].node_in(*graph); break;
        case program::node_kind::number: moved[i] = constants[leaf].node_in(*graph); break;
        case program::node_kind::constant: moved[i] = graph->constant(p.constants[leaf]); break;
        case program::node_kind::stop: moved[i] = graph->stop(operands[0]); break;
        case program::node_kind::apply: moved[i] = graph->append(*n.operation, operands.data, operands.size); break;
      }
    }
    for (std::size_t o = 0; o < outputs_.size(); ++o) outputs_[o] = traced(*graph, moved[wanted[o]]);
  }

  template <std::size_t I>
  constexpr auto output() const {
    if constexpr (Source::value.is_absolute_zero(Source::value.output(Begin + I)))
      return Zero{};
    else
      return outputs_[I];
  }
};

}  // namespace tapeless::scalar

#endif
