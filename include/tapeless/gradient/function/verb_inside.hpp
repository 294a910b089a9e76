#pragma once

#include <tapeless/gradient/function/trace_function.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace tapeless {

namespace program {

template <class Source>
class recorded_lowering;

}  // namespace program

namespace operation {

/// The verb `V` by the arguments `Inputs` of the function that `Source` records, inside a function over tensors. The
/// operands are the function's arguments and then tangents or cotangents.
template <detail::verb V, class Source, class Inputs>
struct VerbInside;
template <detail::verb V, class Source, int... Inputs>
struct VerbInside<V, Source, std::integer_sequence<int, Inputs...>> {
  static constexpr std::string_view name = "verb";
  static constexpr bool of_tensors = true;
  static constexpr bool calls_loops = program::contains_loops(Source::view());

  template <class Lowering, class Value, class... Values>
  static constexpr Value lower(Lowering& to, const Value& first, const Values&... others) {
    using detail::derives;
    using values = program::growing_array<Value>;
    const Value operands[] = {first, others...};
    constexpr int arguments = static_cast<int>(Source::value.variables.size());
    const int call = to.calls++;
    values given(operands, arguments), seeds(operands + arguments, static_cast<int>(sizeof...(Values)) + 1 - arguments),
        inputs, results;
    if constexpr (V.what != derives::nothing)
      for (const int which : {Inputs..., -1})
        if (which >= 0) given[which] = to.input(given[which], call, inputs.size), inputs.push_back(given[which]);
    const values outputs = program::recorded_lowering<Source>::run(to, given);
    if constexpr (V.with_value) results.append(outputs.data, outputs.size);
    // The derivatives of a number by all inputs.
    const auto gradient = [&](const Value& y) {
      values all_adjoints;
      for (int k = 0; k < inputs.size; ++k) all_adjoints.push_back(to.adjoint(y, inputs[k], call, k));
      return all_adjoints;
    };
    const auto append = [&](const values& more) { results.append(more.data, more.size); };
    if constexpr (V.what == derives::gradient) {
      append(gradient(outputs[0]));
    } else if constexpr (V.what == derives::jacobian) {
      for (const Value& y : outputs) append(gradient(y));
    } else if constexpr (V.what == derives::hessian) {
      const values slopes = gradient(outputs[0]);
      if constexpr (V.with_value) append(slopes);
      for (int column = 0; column < inputs.size; ++column)
        for (int row = 0; row <= column; ++row)
          results.push_back(to.adjoint(slopes[row], inputs[column], call, column));
    } else if constexpr (V.what == derives::tangent) {
      for (const Value& y : outputs) results.push_back(to.tangent(y, inputs, seeds, call));
    } else if constexpr (V.what == derives::pullback) {
      Value sum = to.weighted(outputs[0], seeds[0]);
      for (int k = 1; k < outputs.size; ++k) sum = to.sum(sum, to.weighted(outputs[k], seeds[k]));
      append(gradient(sum));
    } else if constexpr (V.what == derives::hessian_product) {
      for (const Value& slope : gradient(outputs[0])) results.push_back(to.tangent(slope, inputs, seeds, call));
    }
    if constexpr (V.what == derives::jacobian || V.what == derives::hessian)
      for (const Value& each : V.what == derives::jacobian ? outputs : inputs)
        if (each.rank > 0) to.problem = program::tensor_problem::matrix_inside;
    return to.keep_results(results);
  }
};

}  // namespace operation

namespace detail {

/// The graph that the arguments of a verb inside a function are nodes of; null where all are constants.
template <class... Args>
constexpr program::builder* graph_of_any(const Args&... args) {
  program::builder* found = nullptr;
  const auto look_in = [&]<class A>(const A& argument) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((found = found ? found : graph_of(shape_of<A>::template element<I>(argument))), ...);
    }(std::make_index_sequence<shape_of<A>::size>{});
  };
  (look_in(args), ...);
  return found;
}

/// A verb of a function of tensors, called inside another one: there it is one operation until axes are known.
template <verb V, class F, class Variables, class... Args>
class verb_inside {
 public:
  using source = program_inside<F, Args...>;

 private:
  static constexpr std::size_t values = source::value.outputs.size(), inputs = Variables::size();
  static constexpr std::size_t count = [] {
    switch (V.what) {
      case derives::nothing: return values;
      case derives::jacobian: return (V.with_value ? values : 0) + values * inputs;
      case derives::hessian: return (V.with_value ? 1 + inputs : 0) + triangle(inputs);
      case derives::tangent: return (V.with_value ? values : 0) + values;
      default: return (V.with_value ? values : 0) + inputs;
    }
  }();
  std::array<traced, count> outputs_{};

 public:
  template <class Inputs, class Seeds>
  constexpr verb_inside(program::builder* to, const Inputs& given, const Seeds& seeds) {
    if (!to) {
      compute_with_plain_numbers_until_the_first_argument_enters();
      return;
    }
    program::builder& graph = *to;
    if (graph.mode() != program::stage::recording) {
      if (graph.misuse == program::fault::none) graph.misuse = program::fault::tensor_wanted;
      outputs_.fill(traced(graph, graph.constant(0)));
      return;
    }
    using operation = operation::VerbInside<V, source, Variables>;
    program::growing_array<int> operands;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (operands.push_back(node_in(graph, given.template variable<static_cast<int>(I)>())), ...);
    }(std::make_index_sequence<source::value.variables.size()>{});
    std::apply([&](const auto&... seed) { (operands.push_back(node_in(graph, seed)), ...); }, seeds);
    const int call = graph.append_as_is(program::info<operation>, operands.data, operands.size);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((outputs_[K] = traced(
            graph, graph.append_as_is(program::info<tapeless::operation::VerbResult<static_cast<int>(K)>>, &call, 1))),
       ...);
    }(std::make_index_sequence<count>{});
  }
  template <std::size_t, std::size_t>
  constexpr void compute() {}
  template <std::size_t I>
  constexpr traced output() const {
    return outputs_[I];
  }
};

}  // namespace detail

}  // namespace tapeless
