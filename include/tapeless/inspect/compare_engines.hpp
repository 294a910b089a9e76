#pragma once

#include <tapeless/evaluate/node_by_node.hpp>
#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/verbs.hpp>
#include <tapeless/inspect/report.hpp>
#include <tapeless/program/pass/as_recorded.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

namespace detail {

/// A number, or the elements of a sequence or a tensor.
template <class T, class Value>
void append_elements(std::vector<T>& to, const Value& value) {
  if constexpr (requires { value.extents; })
    value.for_each([&](const auto& at) { to.push_back(value.data[value.offset(at)]); });
  else if constexpr (requires { value.view(); })
    for (std::size_t k = 0; k < value.size; ++k) to.push_back(value[k]);
  else
    to.push_back(static_cast<T>(value));
}

/// Runs a program of numbers and sequences node by node, then visit(the computation).
template <class P, class T, class Inputs, class Visit>
void visit_node_by_node(loops::node_memory<T>& memory, const Inputs& inputs, const Visit& visit) {
  constexpr std::size_t count = P::value.variables.size();
  std::array<std::vector<T>, count> variables;
  for_each_index<count>([&](auto i) {
    if constexpr (constexpr int variable = static_cast<int>(i); P::value.contains(variable))
      append_elements(variables[i], inputs.template variable<variable>());
  });
  std::array<T, static_cast<std::size_t>(P::value.numbers) + 1> numbers{};
  if constexpr (P::value.numbers > 0)
    for_each_index<numbers.size() - 1>([&](auto i) { numbers[i] = inputs.template number<static_cast<int>(i)>(); });
  loops::node_by_node<T> all = loops::computation_of<P, T>(memory);
  all.numbers = numbers.data();
  all.run([&](int node) { all.set(node, variables[static_cast<std::size_t>(all.at(node).leaf)]); });
  visit(all);
}
template <class P, class T, class Inputs>
elements_of_outputs<T> outputs_node_by_node(const Inputs& inputs) {
  loops::node_memory<T> memory;
  elements_of_outputs<T> outputs;
  visit_node_by_node<P, T>(memory, inputs, [&](loops::node_by_node<T>& all) {
    for (const int output : P::value.outputs) outputs.push_back(all.value(output));
  });
  return outputs;
}
/// The outputs of an evaluation: numbers and sequences.
template <class T, std::size_t Count, class Evaluation>
elements_of_outputs<T> outputs_of(const Evaluation& done) {
  elements_of_outputs<T> outputs(Count);
  for_each_index<Count>([&](auto o) { append_elements(outputs[o], done.template output<o>()); });
  return outputs;
}

/// In the place of an execution policy: computes by that, and by the plain evaluator.
template <class Policy>
struct compared_policy {
  const Policy& policy;
  engine_report& report;
};
template <class Policy>
struct engine_of<compared_policy<Policy>> {
  explicit engine_of(const compared_policy<Policy>& of) : policy(of) {}

  static constexpr bool is_policy = true;
  using compared = Policy;
  const compared_policy<Policy>& policy;

  auto fast() const {
    if constexpr (std::is_same_v<Policy, loops::sequential>)
      return loops::sequential{};
    else
      return engine_of<Policy>{policy.policy};
  }

  /// Compares what was computed of a verb over numbers: the outputs of the finished program `P`.
  template <verb V, class Source, class Variables, class P, class T, int First, class Inputs, class Numbers>
  void compare_verb(const Inputs& inputs, const Numbers& seeds) const {
    constexpr std::size_t count = P::value.outputs.size();
    auto done = evaluate_for<V, P, T, First>(inputs, seeds);
    if constexpr (V.what == derives::jacobian) done.template compute<0, count>();
    const extended_inputs<T, Inputs, Numbers, First> all{inputs, seeds};
    using plain = program::plainly_t<P>;
    add<plain>(outputs_of<T, count>(done), outputs_node_by_node<plain, T>(all),
               [&] { return outputs_node_by_node<P, T>(all); });
    name_outputs<V, Source, Variables>(count);
  }

  /// The same over tensors: `Results` says how they are computed and where they go, `to`.
  template <class Results, class To, class... Given>
  void compare_arrays(const To& to, const Given&... given) const {
    using lowered = program::plainly_t<typename Results::source>;
    using P = typename Results::template made<lowered>::finished;
    constexpr bool is_explicit = Results::operand::is_explicit;
    const auto gather = [](const auto& from) {
      elements_of_outputs<typename Results::T> all;
      Results::template for_each_output<lowered>(
          from, [&](const auto&, std::size_t, const auto& elements) { append_elements(all.emplace_back(), elements); });
      return all;
    };
    const auto node_by_node = [&]<class Lowered, bool Explicit>(std::type_identity<Lowered>,
                                                                std::bool_constant<Explicit>) {
      typename Results::containers results;
      Results::template compute_node_by_node<Lowered, Explicit>([](auto&) {}, typename Results::targets{results},
                                                                given...);
      return gather(typename Results::targets{results});
    };
    std::size_t next = policy.report.checks.size();
    add<P>(gather(to), node_by_node(std::type_identity<lowered>{}, std::bool_constant<is_explicit>{}),
           [&] { return node_by_node(std::type_identity<typename Results::source>{}, std::false_type{}); });
    Results::template for_each_output<lowered>(to, [&](std::string name, std::size_t output, const auto&) {
      engine_check& check = policy.report.checks[next++];
      check.output = std::move(name), check.node = output_text<P>(output);
    });
  }

  /// The same of a batch, after it ran.
  template <class Batch, class Inputs, class Tables, class Shape>
  void compare_batch(const Inputs& bound, const Tables& t, const Shape& shape) const {
    using T = typename Batch::number;
    program::tensor_access access{program::access_kind::output, 0, Batch::rank, {}};
    for (int k = 0; k < Batch::rank; ++k) access.axes[k] = k;
    const auto gather = [&](auto place) {
      elements_of_outputs<T> all(Batch::outputs);
      for (std::size_t o = 0; o < Batch::outputs; ++o) append_elements(all[o], place(o));
      return all;
    };
    const auto node_by_node = [&]<class P>(std::type_identity<P>) {
      loops::node_memory<T> memory;
      loops::node_by_node<T> all = loops::computation_of<P, T>(memory);
      all.numbers = t.numbers, all.axes = Batch::S::axes, all.extent = t.extent;
      all.run([&](int i) { all.read(i, bound.tensors[static_cast<std::size_t>(all.at(i).leaf)]); });
      return gather([&](std::size_t o) { return all.place(P::value.output(o), access); });
    };
    const auto computed = [&](std::size_t o) {
      const auto& from = t.references[static_cast<std::size_t>(Batch::S::output_reference(static_cast<int>(o)))];
      loops::strided<T> result{from.data, Batch::rank, {}, {}};
      for (std::size_t k = 0; k < static_cast<std::size_t>(Batch::rank); ++k)
        result.extents[k] = shape[k], result.strides[k] = from.stride[k];
      return result;
    };
    add<typename Batch::plain_program>(
        gather(computed), node_by_node(std::type_identity<typename Batch::plain_program>{}),
        [&] { return node_by_node(std::type_identity<typename Batch::spread_program>{}); });
  }
  /// The same of `count` elements of a batch of loops: `inputs(k)` are those of an element, and `computed(o, k, size)`
  /// `size` numbers of an output.
  template <class P, class T, class Inputs, class Computed>
  void compare_loops(std::size_t count, const Inputs& inputs, const Computed& computed) const {
    using plain = program::plainly_t<P>;
    elements_of_outputs<T> fast(P::value.outputs.size()), expected = fast;
    const auto node_by_node = [&]<class Q>(std::type_identity<Q>, auto visit) {
      for (std::size_t k = 0; k < count; ++k) {
        const elements_of_outputs<T> outputs = outputs_node_by_node<Q, T>(inputs(k));
        for (std::size_t o = 0; o < outputs.size(); ++o) visit(o, k, outputs[o]);
      }
    };
    const auto append = [](std::vector<T>& to, const std::vector<T>& more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    node_by_node(std::type_identity<plain>{}, [&](std::size_t o, std::size_t k, const std::vector<T>& elements) {
      append(expected[o], elements), append(fast[o], computed(o, k, elements.size()));
    });
    add<plain>(fast, expected, [&] {
      elements_of_outputs<T> rewritten(P::value.outputs.size());
      node_by_node(std::type_identity<P>{},
                   [&](std::size_t o, std::size_t, const std::vector<T>& elements) { append(rewritten[o], elements); });
      return rewritten;
    });
  }
  /// Names the newest `count` outputs, those of the verb `V` of `Source`.
  template <verb V, class Source, class Variables, bool Whole = false>
  void name_outputs(std::size_t count) const {
    for (std::size_t k = 0; k < count; ++k)
      policy.report.checks[policy.report.checks.size() - count + k].output =
          name_of_output<V, Whole>(k, Source::value.outputs.size(), names_of<Variables>::value);
  }

 private:
  /// Compares outputs with those of the plain program `P`; `rewritten()` computes them node by node.
  template <class P, class T, class Rewritten>
  void add(const elements_of_outputs<T>& fast, const elements_of_outputs<T>& plain, const Rewritten& rewritten) const {
    engine_report report;
    for (std::size_t o = 0; o < plain.size(); ++o) {
      report.checks.push_back(compare_elements(fast[o], plain[o]));
      report.checks.back().node = output_text<P>(o);
    }
    if (!report.passed(engine_report::rounding)) {
      const elements_of_outputs<T> others = rewritten();
      for (std::size_t o = 0; o < plain.size(); ++o)
        report.checks[o].rewritten_agrees = compare_elements(others[o], plain[o]).error <= 0.5 * report.checks[o].error;
    }
    for (const engine_check& check : report.checks) policy.report.checks.push_back(check);
  }
};

template <class Verb>
class engine_comparison {
  Verb verb_;

 public:
  constexpr explicit engine_comparison(const Verb& verb) : verb_(verb) {}
  template <class First, class... Args>
  engine_report operator()(const First& first, const Args&... args) const {
    engine_report report;
    if constexpr (Execution_policy<First>) {
      static_assert(requires { engine_of<First>{first}; }, "tapeless: compare_engines computes in one process [TL212]");
      static_cast<void>(verb_(compared_policy<First>{first, report}, args...));
    } else {
      constexpr loops::sequential alone;
      static_cast<void>(verb_(compared_policy<loops::sequential>{alone, report}, first, args...));
    }
    return report;
  }
};

}  // namespace detail

/// Computes a verb twice, by the engine and by the plain evaluator: `compare_engines(value_and_gradient(loss, wrt(w,
/// b)))(X = x, w = w0, b = b0)` and `compare_engines(gradient(f, wrt<0>))(1.0, xs)` return a report that can be
/// printed, with the largest difference of each output. The plain evaluator runs the program as it was recorded and
/// derived, before every rewrite and every schedule: node by node, each a whole array, by the operations' functions of
/// one number, sums from the first element to the last, loops step by step. What it shares with the engine is
/// recording, differentiation and how arguments are bound; `check_gradient` checks those. A formula or `outputs(...)`
/// stands for its value. An execution policy may come first, `into(r)` may not. Cost: it is slow, and compiles a second
/// program.
template <class G>
constexpr auto compare_engines(const G& g) {
  constexpr bool of_values = detail::stands_for_value<G>;
  constexpr bool known =
      of_values || detail::is_reported<G> || detail::Verb_of_operand<G> || requires { typename G::of_elements_of; };
  static_assert(known,
                "tapeless: compare_engines takes a verb of a formula or a function, such as gradient(f) or "
                "value(f), or batched(...) of one [TL213]");
  if constexpr (!known || detail::is_reported<G>)
    return detail::no_result{};
  else if constexpr (of_values)
    return detail::engine_comparison(value(g));
  else
    return detail::engine_comparison(g);
}

}  // namespace tapeless
