#pragma once

#include <tapeless/inspect/compare_engines.hpp>

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tapeless {

/// The result of `trace_nan`; it prints as a line. Of an array, `[k]` is its element number k, row by row.
struct nan_origin {
  std::string output;      ///< the first result that is not finite, such as "derivative by x"; empty if there is none
  std::string expression;  ///< where that began: not finite, of operands that are
  double value = 0;        ///< of the expression: infinite or NaN
  std::string operands;    ///< their values, such as "x = 0, y = 2"; and the step, where it is in a loop

  bool found() const { return !output.empty(); }
};

template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, const nan_origin& r) {
  if (!r.found()) return stream << "all results are finite";
  stream << r.output.c_str() << " is not finite: " << r.expression.c_str() << " = "
         << detail::number_text(r.value).c_str();
  return r.operands.empty() ? stream : stream << ", where " << r.operands.c_str();
}

namespace detail {

template <class T>
std::size_t first_not_finite(const std::vector<T>& elements) {
  std::size_t k = 0;
  while (k < elements.size() && T(elements[k] - elements[k]) == T(0)) ++k;
  return k;
}

/// Follows what is not finite back to where it began.
template <class T>
struct nan_tracer {
  node_writer write;
  /// Of each node that is a loop, what was found in its steps.
  std::vector<nan_origin> in_loops = std::vector<nan_origin>(static_cast<std::size_t>(write.graph.size));

  static bool is_finite(loops::node_by_node<T>& all, int node) {
    const std::vector<T> elements = all.elements(node);
    return first_not_finite(elements) == elements.size();
  }
  /// What a node is computed from. A pair of numbers and a loop stand for their operands, a branch of `where` that is
  /// nowhere chosen for none.
  static program::growing_array<int> operands(loops::node_by_node<T>& all, int node) {
    program::growing_array<int> result;
    const program::node& n = all.at(node);
    const auto chosen = [&](int j) {
      if (j == 0 || !program::applies(n, program::info<operation::Where>)) return true;
      for (const T& condition : all.elements(all.operand(node, 0)))
        if ((condition != T(0)) == (j == 1)) return true;
      return false;
    };
    for (int j = 0; j < n.count; ++j) {
      const int o = all.operand(node, j);
      const bool stands = all.at(o).operation && (all.at(o).operation->pair || all.at(o).operation->is_loop());
      for (int k = 0; chosen(j) && k < (stands ? all.at(o).count : 1); ++k) {
        const int from = stands ? all.operand(o, k) : o;
        bool known = false;
        for (const int each : result) known |= each == from;
        if (!known) result.push_back(from);
      }
    }
    return result;
  }

  static constexpr int depth = 5;

  nan_origin trace(loops::node_by_node<T>& all, int node) const {
    for (bool moved = true; moved;) {
      moved = false;
      for (const int operand : operands(all, node))
        if (!is_finite(all, operand)) {
          node = operand, moved = true;
          break;
        }
    }
    if (all.at(node).operation && all.at(node).operation->reads_loop())
      if (const nan_origin& in = in_loops[static_cast<std::size_t>(all.operand(node, 0))]; !in.expression.empty())
        return in;
    const std::vector<T> values = all.elements(node);
    const std::size_t k = first_not_finite(values);
    const auto text = [&](int i, std::size_t size) {
      return write(i, depth, size > 1) + (size > 1 ? "[" + std::to_string(k) + "]" : "");
    };
    nan_origin found{"", text(node, values.size()), static_cast<double>(values[k]), ""};
    for (const int operand : operands(all, node)) {
      const std::vector<T> of = all.elements(operand);
      const bool alike = of.size() == values.size() && all.at(operand).axes == all.at(node).axes;
      const program::node_kind kind = all.at(operand).kind;
      const bool written = kind == program::node_kind::constant || kind == program::node_kind::number;
      if (!written && (of.size() == 1 || alike))
        found.operands += (found.operands.empty() ? "" : ", ") + text(operand, of.size()) + " = " +
                          number_text(of[of.size() == 1 ? 0 : k]);
    }
    return found;
  }

  /// Keeps what is found in the first step of a loop whose results are not finite.
  static void see(void* context, loops::node_by_node<T>& step, int loop, std::size_t k, std::span<const int> outputs,
                  const operation::scan_shape& shape) {
    nan_tracer& outer = *static_cast<nan_tracer*>(context);
    nan_origin& found = outer.in_loops[static_cast<std::size_t>(loop)];
    std::vector<std::string> texts;
    for (int v = 0; v + 1 < shape.operands(); ++v) {
      const int operand = outer.write.graph.edges[outer.write.graph.nodes[loop].first + 1 + v];
      texts.push_back(v < shape.carries ? "carry " + std::to_string(v) : outer.write(operand, depth, true));
    }
    texts.push_back("step");
    const std::vector<std::string_view> names(texts.begin(), texts.end());
    const nan_tracer inner{{step.graph, names}};
    for (const int output : outputs)
      if (found.expression.empty() && !is_finite(step, output)) {
        found = inner.trace(step, output);
        if (!shape.once) found.operands += (found.operands.empty() ? "" : ", ") + ("step = " + std::to_string(k));
      }
  }
};

/// The names of all variables of the program `P`.
template <class P, class Variables>
struct all_names {
  static constexpr const auto& value = P::value.variables;
};
template <class P, class Layout, class Variables>
struct all_names<P, std::pair<Layout, Variables>>
    : names_of<std::pair<Layout, std::make_integer_sequence<int, static_cast<int>(Layout::size)>>> {};

/// In the place of an execution policy: traces by the plain evaluator.
struct nan_policy {
  nan_origin& origin;
};
template <>
struct engine_of<nan_policy> {
  static constexpr bool is_policy = true;
  using compared = nan_policy;
  nan_origin& origin;
  explicit engine_of(const nan_policy& policy) : origin(policy.origin) {}
  auto fast() const { return loops::sequential{}; }

  template <verb V, class Source, class Variables, class P, class T, int First, class Inputs, class Numbers>
  void compare_verb(const Inputs& inputs, const Numbers& seeds) const {
    nan_tracer<T> tracer{{P::view(), all_names<P, Variables>::value}};
    loops::node_memory<T> memory;
    memory.observer = {&nan_tracer<T>::see, &tracer};
    const extended_inputs<T, Inputs, Numbers, First> given{inputs, seeds};
    for_each_index<static_cast<std::size_t>(P::value.numbers)>([&](auto i) {
      tracer.write.numbers.push_back(static_cast<double>(given.template number<static_cast<int>(i)>()));
    });
    visit_node_by_node<P, T>(memory, given, [&](loops::node_by_node<T>& all) {
      for (std::size_t k = 0; k < P::value.outputs.size(); ++k)
        note(tracer, all, P::value.output(k),
             [&] { return name_of_output<V, false>(k, Source::value.outputs.size(), names_of<Variables>::value); });
    });
  }
  template <class Results, class To, class... Given>
  void compare_arrays(const To& to, const Given&... given) const {
    using lowered = typename Results::source;
    using P = typename Results::template made<lowered>::finished;
    using T = typename Results::T;
    typename Results::containers results;
    Results::template compute_node_by_node<lowered, false>(
        [&](loops::node_by_node<T>& all) {
          const nan_tracer<T> tracer{
              {P::view(), all_names<P, void>::value, {all.numbers, all.numbers + P::value.numbers}}};
          Results::template for_each_output<lowered>(to, [&](std::string name, std::size_t output, const auto&) {
            note(tracer, all, P::value.output(output), [&] { return name; });
          });
          for (const int output : P::value.outputs) note(tracer, all, output, [] { return "derivative"; });
        },
        typename Results::targets{results}, given...);
  }

 private:
  template <class T, class Name>
  void note(const nan_tracer<T>& tracer, loops::node_by_node<T>& all, int output, const Name& name) const {
    if (origin.found() || nan_tracer<T>::is_finite(all, output)) return;
    origin = tracer.trace(all, output);
    origin.output = name();
  }
};

template <class Verb>
class nan_trace {
  Verb verb_;

 public:
  constexpr explicit nan_trace(const Verb& verb) : verb_(verb) {}
  template <class... Args>
  nan_origin operator()(const Args&... args) const {
    nan_origin origin;
    static_cast<void>(verb_(nan_policy{origin}, args...));
    return origin;
  }
};

}  // namespace detail

/// Finds where an infinity or NaN comes from: `trace_nan(value_and_gradient(f))(x = 0.0)` looks for the first result
/// that is not finite and follows it back to an expression that is not finite although everything that it is computed
/// from is. The report can be printed: "derivative by x is not finite: 0.5 / sqrt(x) = inf, where sqrt(x) = 0". A
/// branch of `where` that is not taken does not count, nor does an infinity on the way to a finite result. In a loop it
/// is the first step with a result that is not finite. A formula, `outputs(...)` or a function with data stands for its
/// value; for the value of a function write `value(f)`. Cost: the program is compiled and computed once more, node by
/// node.
template <class G>
constexpr auto trace_nan(const G& g) {
  constexpr bool of_values = detail::stands_for_value<G>;
  constexpr bool known =
      of_values || detail::is_reported<G> || (detail::Verb_of_operand<G> && !requires { G::of_elements; });
  static_assert(known,
                "tapeless: trace_nan takes a formula or a verb of a formula or a function, such as gradient(f) or "
                "value(f); of batched(...) the verb inside, with the arguments of one element [TL214]");
  if constexpr (!known || detail::is_reported<G>)
    return detail::no_result{};
  else if constexpr (of_values)
    return detail::nan_trace(value(g));
  else
    return detail::nan_trace(g);
}

}  // namespace tapeless
