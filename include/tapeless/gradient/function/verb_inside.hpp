#pragma once

#include <tapeless/gradient/function/trace_function.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/operation/tensor/verb_inside.hpp>
#include <tapeless/program/lower/loop.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace tapeless {

template <class N>
struct step_count;

namespace program {

template <class Source>
class recorded_lowering;

}  // namespace program

namespace operation {

/// Marks those of the arguments of call number `call` that derivatives are by.
template <int... Inputs, class Lowering, class Value>
constexpr program::growing_array<Value> derive_by(std::integer_sequence<int, Inputs...>, Lowering& to, int call,
                                                  program::growing_array<Value>& arguments) {
  program::growing_array<Value> inputs;
  (inputs.push_back(arguments[Inputs] = to.input(arguments[Inputs], call, inputs.size)), ...);
  return inputs;
}

/// A step of the loop over the rows of a Jacobian or Hessian: the derivatives by all of `Inputs` of one element of
/// output `Row`, a vector, or of the gradient by input number `Row`.
template <detail::verb V, class Source, class Inputs, int Row>
struct RowOfDerivatives;
template <detail::verb V, class Source, int... Inputs, int Row>
struct RowOfDerivatives<V, Source, std::integer_sequence<int, Inputs...>, Row> {
  static constexpr std::string_view name = "row of derivatives";
  static constexpr bool of_tensors = true;
  static constexpr scan_shape shape{.constants = static_cast<int>(Source::value.variables.size()),
                                    .sequences = 1,
                                    .stacked = static_cast<int>(sizeof...(Inputs))};

  template <class Lowering, class Value>
  static constexpr Value lower_list(Lowering& to, const Value* operands, int count) {
    const int call = to.calls++;
    program::growing_array<Value> given(operands, shape.constants), results;
    const auto inputs = derive_by(std::integer_sequence<int, Inputs...>{}, to, call, given);
    const auto outputs = program::recorded_lowering<Source>::run(to, given);
    const Value rows =
        V.what == detail::derives::hessian ? to.adjoint(outputs[0], inputs[Row], call, Row) : outputs[Row];
    const Value element = to.pick(rows, operands[count - 1]);
    for (int k = 0; k < inputs.size; ++k) results.push_back(to.adjoint(element, inputs[k], call, k));
    return to.keep_results(results);
  }
};

/// The verb `V` by the arguments `Inputs` of the function that `Source` records, inside a function over tensors. The
/// operands are the function's arguments and then tangents or cotangents.
template <detail::verb V, class Source, class Inputs>
struct VerbInside;
template <detail::verb V, class Source, int... Inputs>
struct VerbInside<V, Source, std::integer_sequence<int, Inputs...>> {
  static constexpr std::string_view name = "verb";
  static constexpr bool of_tensors = true;
  static constexpr bool calls_loops = program::contains_loops(Source::view());
  /// How many results of a Jacobian, or slopes of a Hessian, there are.
  static constexpr int row_blocks = V.what == detail::derives::hessian ? static_cast<int>(sizeof...(Inputs))
                                                                       : static_cast<int>(Source::value.outputs.size());

  template <class Lowering, class Value>
  static constexpr Value lower_list(Lowering& to, const Value* operands, int count) {
    using detail::derives;
    using values = program::growing_array<Value>;
    constexpr int arguments = static_cast<int>(Source::value.variables.size());
    const int call = to.calls++;
    values given(operands, arguments), seeds(operands + arguments, count - arguments), inputs, results, outputs;
    if constexpr (V.what == derives::jacobian) outputs = program::recorded_lowering<Source>::run(to, given);
    // Derivatives of vectors are those of their elements, in loops of their own.
    bool derives_numbers = V.what != derives::jacobian;
    for (const Value& y : outputs) derives_numbers = derives_numbers || y.rank == 0;
    if (derives_numbers) {
      if constexpr (V.what != derives::nothing)
        inputs = derive_by(std::integer_sequence<int, Inputs...>{}, to, call, given);
      outputs = program::recorded_lowering<Source>::run(to, given);
    }
    const auto append = [&](const values& more) { results.append(more.data, more.size); };
    if constexpr (V.with_value) append(outputs);
    // The derivatives of a number by all inputs.
    const auto gradient = [&](const Value& y) {
      values all_adjoints;
      for (int k = 0; k < inputs.size; ++k) all_adjoints.push_back(to.adjoint(y, inputs[k], call, k));
      return all_adjoints;
    };
    if constexpr (V.what == derives::gradient) {
      append(gradient(outputs[0]));
    } else if constexpr (V.what == derives::jacobian || V.what == derives::hessian) {
      values by_rows = outputs, rows;
      if constexpr (V.what == derives::hessian) by_rows = gradient(outputs[0]);
      if constexpr (V.with_value && V.what == derives::hessian) append(by_rows);
      int vectors = 0;
      bool fits = true;
      for (const Value& each : by_rows) vectors += each.rank > 0, fits = fits && each.rank < 2;
      // Of a Hessian by two vectors, the block below the diagonal would be the one above it, not transposed.
      fits = fits && (V.what == derives::jacobian || vectors < 2);
      to.refuse_if(!fits, program::fault::matrix_inside);
      // One row for a number, a loop over rows for a vector.
      const auto loops = rows_of<Lowering, Value>(std::make_integer_sequence<int, row_blocks>{});
      for (int row = 0; row < by_rows.size; ++row) {
        const bool is_number = by_rows[row].rank == 0 || !fits;
        values one;
        if (is_number)
          one = gradient(by_rows[row]);
        else
          one = loops[static_cast<std::size_t>(row)](to, operands, by_rows[row]);
        rows.append(one.data, one.size);
      }
      if constexpr (V.what == derives::jacobian) append(rows);
      for (int column = 0; V.what == derives::hessian && column < inputs.size; ++column)
        for (int row = 0; row <= column; ++row) results.push_back(rows[row * inputs.size + column]);
    } else if constexpr (V.what == derives::tangent) {
      for (const Value& y : outputs) results.push_back(to.tangent(y, inputs, seeds, call));
    } else if constexpr (V.what == derives::pullback) {
      Value sum = to.weighted(outputs[0], seeds[0]);
      for (int k = 1; k < outputs.size; ++k) sum = to.sum(sum, to.weighted(outputs[k], seeds[k]));
      append(gradient(sum));
    } else if constexpr (V.what == derives::hessian_product) {
      for (const Value& slope : gradient(outputs[0])) results.push_back(to.tangent(slope, inputs, seeds, call));
    }
    return to.keep_results(results);
  }

 private:
  /// The derivatives of each element of `vector`.
  template <int Row, class Lowering, class Value>
  static constexpr program::growing_array<Value> rows(Lowering& to, const Value* arguments, const Value& vector) {
    using step = RowOfDerivatives<V, Source, std::integer_sequence<int, Inputs...>, Row>;
    program::growing_array<Value> operands, results;
    operands.push_back(to.length(vector));
    for (int k = 0; k < step::shape.constants; ++k) operands.push_back(arguments[k]);
    operands.push_back(vector);
    const Value made = to.template scan<program::detail::loop_of_steps<step>>(operands.data);
    for (int k = 0; k < step::shape.stacked; ++k) results.push_back(to.result_of_call(made, k));
    return results;
  }
  template <class Lowering, class Value, int... Row>
  static constexpr auto rows_of(std::integer_sequence<int, Row...>) {
    using function = program::growing_array<Value> (*)(Lowering&, const Value*, const Value&);
    return std::array<function, sizeof...(Row)>{&rows<Row, Lowering, Value>...};
  }
};

}  // namespace operation

namespace detail {

/// The graph of one of the values, such as the arguments of a verb inside a function; null where all are constants.
template <class... Ts>
constexpr program::builder* find_graph(const Ts&... values) {
  program::builder* found = nullptr;
  const auto look_at = [&](const auto& leaf) { found = found ? found : graph_of(leaf); };
  [[maybe_unused]] const auto look_in = [&]<class T>(const T& e) {
    if constexpr (is_instance_of<step_count, T>)
      look_at(e.count);
    else if constexpr (is_binding<T>)
      for_each_leaf(e.value, look_at);
    else if constexpr (is_records<T>)
      for_each_leaf(e.columns(), look_at);
    else
      for_each_leaf(e, look_at);
  };
  (look_in(values), ...);
  return found;
}

/// The graph in which a loop is recorded. Plain numbers have none.
constexpr program::builder& graph_of_loop(program::builder* graph) {
  if (!graph)
    raise<std::invalid_argument>(
        {"scan, while_loop, fixed_point and odeint need a function to run in: call value(f)(...) for plain numbers"});
  return *graph;
}

/// An argument of a function that is being traced, or a structure of some.
template <class T>
concept Traced_argument = is_traced<typename shape_of<T>::number>;
/// Notes a mistake in the graph of these arguments, and gives that.
template <class... Args>
constexpr program::builder& note_misuse(program::fault how, const Args&... args) {
  program::builder& graph = graph_of_loop(find_graph(args...));
  graph.misused(how);
  return graph;
}
/// After a mistake in the call of a verb inside a function, which that function's own call reports: an error here would
/// come with the whole way from there.
template <program::fault How, class... Args>
constexpr auto misused_inside(const Args&... args) {
  program::builder& graph = note_misuse(How, args...);
  return result_after_error<traced>(traced(graph, graph.constant(0)));
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
      graph.misused(program::fault::tensor_wanted);
      outputs_.fill(traced(graph, graph.constant(0)));
      return;
    }
    using operation = operation::VerbInside<V, source, Variables>;
    program::growing_array<int> operands;
    for_each_index<source::value.variables.size()>(
        [&](auto i) { operands.push_back(node_in(graph, given.template variable<static_cast<int>(i)>())); });
    std::apply([&](const auto&... seed) { (operands.push_back(node_in(graph, seed)), ...); }, seeds);
    const int call = graph.append_as_is(program::info<operation>, operands.data, operands.size);
    for_each_index<count>([&](auto k) {
      using result = tapeless::operation::VerbResult<static_cast<int>(k)>;
      outputs_[k] = traced(graph, graph.append_as_is(program::info<result>, &call, 1));
    });
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
