#ifndef TAPELESS_INSPECT_COMPARE_ENGINES_HPP
#define TAPELESS_INSPECT_COMPARE_ENGINES_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/evaluate/node_by_node.hpp>
#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/value.hpp>
#include <tapeless/program/as_recorded.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless {

/// One line of an `engine_report`: an output, and its element where the two computations differ most.
struct engine_check {
  std::string output;
  std::size_t element = 0;
  double fast = 0, plain = 0;
  /// |fast - plain|, and that over max(1, the largest magnitude of the output). Infinite where one is infinite or NaN
  /// and the other is not the same.
  double difference = 0, scale = 1, error = 0;
  /// The node that defines the output in the program as it was recorded; and whether the rewritten program, computed
  /// node by node, gives the plain result: then the fault is in how it runs, else in a rewrite.
  std::string node;
  bool rewritten_agrees = true;
};

/// The result of `compare_engines`; it prints as a table.
struct engine_report {
  /// Differences up to here are not looked into: sums of floats in another order have them.
  static constexpr double rounding = 1e-5;

  std::vector<engine_check> checks;

  double largest_error() const {
    double largest = 0;
    for (const engine_check& check : checks)
      if (!(check.error <= largest)) largest = check.error;
    return largest;
  }
  bool passed(double tolerance) const { return largest_error() <= tolerance; }
  /// The first output that differs by more; null if none does.
  const engine_check* first_difference(double tolerance) const {
    for (const engine_check& check : checks)
      if (!(check.error <= tolerance)) return &check;
    return nullptr;
  }
};

template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, const engine_report& r) {
  for (const engine_check& check : r.checks) {
    stream << check.output.c_str() << ", element " << check.element << ": fast " << check.fast << ", plain "
           << check.plain << ", error " << check.error << " of scale " << check.scale << "\n";
    if (!(check.error <= engine_report::rounding))
      stream << "  " << check.node.c_str()
             << (check.rewritten_agrees ? "\n  the rewritten program, node by node, gives the plain result\n"
                                        : "\n  the rewritten program, node by node, does not give the plain result\n");
  }
  return stream;
}

namespace detail {

/// A node as it reads, down to operands of operands.
inline std::string node_text(const program::graph_view& graph, std::span<const std::string_view> variables, int index,
                             int depth = 3) {
  const program::node& n = graph.nodes[index];
  const auto numbered = [&](const char* what, int number) { return what + std::to_string(number); };
  switch (n.kind) {
    case program::node_kind::variable: {
      const std::string_view name = variables[static_cast<std::size_t>(n.leaf)];
      return name.empty() ? numbered("variable ", n.leaf) : std::string(name);
    }
    case program::node_kind::extent: return numbered("extent ", n.leaf);
    case program::node_kind::index: return numbered("index ", n.leaf);
    case program::node_kind::number: return numbered("number ", n.leaf);
    case program::node_kind::constant: {
      const double value = graph.constants[n.leaf].as<double>();
      std::string text = std::to_string(value);
      text.erase(text.find_last_not_of('0') + 1);
      return text.back() == '.' ? text.substr(0, text.size() - 1) : text;
    }
    default: break;
  }
  std::string text = n.kind == program::node_kind::stop ? "stop_gradient" : std::string(n.operation->name);
  if (depth == 0) return text + "(...)";
  for (int i = 0; i < n.count; ++i)
    text += (i ? ", " : "(") + node_text(graph, variables, graph.edges[n.first + i], depth - 1);
  return n.count ? text + ")" : text;
}
template <class P>
std::string output_text(std::size_t output) {
  const std::span<const std::string_view> names(P::value.variables.data(), P::value.variables.size());
  return "node " + std::to_string(P::value.output(output)) + " = " +
         node_text(P::view(), names, P::value.output(output));
}

/// Compares the elements of an output.
class element_comparison {
  engine_check found_;
  std::size_t element_ = 0;
  double largest_ = 0, worst_ = -1;

 public:
  template <class T>
  void add(const T& fast, const T& plain) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double magnitude = static_cast<double>(plain < T(0) ? T(-plain) : plain);
    const double apart = static_cast<double>(fast < plain ? T(plain - fast) : T(fast - plain));
    const bool same = fast == plain || (fast != fast && plain != plain);
    const double difference = same ? 0.0 : apart < infinity ? apart : infinity;
    if (magnitude > largest_ && magnitude < infinity) largest_ = magnitude;
    if (difference > worst_) {
      worst_ = found_.difference = difference;
      found_.element = element_, found_.fast = static_cast<double>(fast), found_.plain = static_cast<double>(plain);
    }
    ++element_;
  }
  engine_check result(std::string output, std::string node) {
    found_.output = std::move(output), found_.node = std::move(node);
    found_.scale = largest_ > 1 ? largest_ : 1;
    found_.error = found_.difference / found_.scale;
    return found_;
  }
};

/// The values of a program of numbers and sequences, node by node.
template <class P, class T, class Inputs>
std::vector<std::vector<T>> outputs_node_by_node(const Inputs& inputs) {
  constexpr std::size_t count = P::value.variables.size();
  std::array<std::vector<T>, count> variables;
  [[maybe_unused]] const auto read = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    if constexpr (P::value.contains(static_cast<int>(I))) {
      const auto value = inputs.template variable<static_cast<int>(I)>();
      if constexpr (requires { value.view(); })
        for (std::size_t k = 0; k < value.size; ++k) variables[I].push_back(value[k]);
      else
        variables[I].push_back(value);
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (read(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<count>{});
  std::array<T, static_cast<std::size_t>(P::value.numbers) + 1> numbers{};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((numbers[I] = inputs.template number<static_cast<int>(I)>()), ...);
  }(std::make_index_sequence<static_cast<std::size_t>(P::value.numbers)>{});
  loops::node_memory<T> memory;
  loops::node_by_node<T> all = loops::computation_of<P, T>(memory);
  all.numbers = numbers.data();
  all.run([&](int node) { all.set(node, variables[static_cast<std::size_t>(all.at(node).leaf)]); });
  std::vector<std::vector<T>> outputs;
  for (const int output : P::value.outputs) outputs.push_back(all.value(output));
  return outputs;
}
/// The outputs of an evaluation: numbers and sequences.
template <class T, std::size_t Count, class Evaluation>
std::vector<std::vector<T>> outputs_of(const Evaluation& done) {
  std::vector<std::vector<T>> outputs(Count);
  const auto read = [&]<std::size_t O>(std::integral_constant<std::size_t, O>) {
    const auto value = done.template output<O>();
    if constexpr (requires { value.view(); })
      for (std::size_t k = 0; k < value.size; ++k) outputs[O].push_back(value[k]);
    else
      outputs[O].push_back(static_cast<T>(value));
  };
  [&]<std::size_t... O>(std::index_sequence<O...>) {
    (read(std::integral_constant<std::size_t, O>{}), ...);
  }(std::make_index_sequence<Count>{});
  return outputs;
}

/// The names of what is derived by.
template <class Variables>
struct names_of;
template <class... Vs>
struct names_of<wrt_variables<Vs...>> {
  static constexpr std::array<std::string_view, sizeof...(Vs)> value{Vs::name...};
};
template <class Layout, int... I>
struct names_of<std::pair<Layout, std::integer_sequence<int, I...>>> {
  static constexpr std::array<std::string_view, sizeof...(I)> value{place_of<Layout, I>.text()...};
};

/// What output number `k` of the verb `V` is, of an operand with `values` outputs that is derived by `names`.
template <verb V>
std::string name_of_output(std::size_t k, std::size_t values, std::span<const std::string_view> names) {
  const auto numbered = [&](const char* what, std::size_t which) {
    return values == 1 ? std::string(what) : what + (" " + std::to_string(which));
  };
  const std::size_t n = names.size();
  const auto by = [&](std::size_t i) { return " by " + std::string(names[i % n]); };
  if (V.with_value || V.what == derives::nothing) {
    if (k < values) return numbered("value", k);
    k -= values;
  }
  if (V.what == derives::tangent) return numbered("tangent", k);
  if (V.is_sparse() || n == 0) return "entry " + std::to_string(k);
  if (V.what == derives::jacobian) return numbered("derivative of value", k / n) + by(k);
  if (V.what == derives::hessian && V.with_value && k < n) return "derivative" + by(k);
  if (V.what == derives::hessian) {
    if (V.with_value) k -= n;
    std::size_t column = 0;
    while (triangle(column + 1) <= k) ++column;
    return "second derivative" + by(k - triangle(column)) + " and" + by(column);
  }
  return (V.what == derives::hessian_product ? "product" : "derivative") + by(k);
}

/// In the place of an execution policy: computes by that, and by the plain evaluator.
template <class Policy>
struct compared_policy {
  const Policy& policy;
  engine_report& report;
};
template <class Policy>
struct engine_of<compared_policy<Policy>> {
  static constexpr bool is_policy = true;
  using compared = Policy;
  const compared_policy<Policy>& policy;

  auto fast() const {
    if constexpr (std::is_same_v<Policy, loops::sequential>)
      return loops::sequential{};
    else
      return engine_of<Policy>{policy.policy};
  }

  /// Compares what was computed, the outputs of the finished program `P` that the verb `V` makes of `Source`, with the
  /// plain ones.
  template <verb V, class Source, class Variables, class P, class T, class Inputs>
  void compare_numbers(const Inputs& inputs, const std::vector<std::vector<T>>& fast) const {
    using plain = program::plainly_t<P>;
    const auto expected = outputs_node_by_node<plain, T>(inputs);
    std::vector<engine_check> checks = compared_elements<plain>(fast, expected);
    const std::vector<engine_check> rewritten =
        differ(checks) ? compared_elements<plain>(outputs_node_by_node<P, T>(inputs), expected) : checks;
    for (std::size_t o = 0; o < checks.size(); ++o) {
      checks[o].output = name_of_output<V>(o, Source::value.outputs.size(), names_of<Variables>::value);
      checks[o].rewritten_agrees = agrees(rewritten[o], checks[o]);
      policy.report.checks.push_back(checks[o]);
    }
  }
  template <verb V, class Source, class Variables, class P, class T, int First, class Inputs, class Numbers>
  void compare_verb(const Inputs& inputs, const Numbers& further) const {
    constexpr std::size_t count = P::value.outputs.size();
    auto done = evaluate_for<V, P, T, First>(inputs, further);
    if constexpr (V.what == derives::jacobian) done.template compute<0, count>();
    compare_numbers<V, Source, Variables, P, T>(extended_inputs<T, Inputs, Numbers, First>{inputs, further},
                                                outputs_of<T, count>(done));
  }
  template <class Verb, std::size_t... At, class... Args>
  void compare_function(const Verb& verb, std::index_sequence<At...>, const Args&... args) const {
    using T = function_real_t<Args...>;
    using layout = argument_layout<Args...>;
    using source = traced_program<typename Verb::function, Args...>;
    using variables = typename Verb::template variables<layout, At...>;
    compare_verb<Verb::does, source, std::pair<layout, variables>, typename Verb::template evaluated<source, variables>,
                 T, static_cast<int>(layout::size)>(function_inputs<T, Args...>{args...},
                                                    verb.template further_numbers<T, layout, At...>());
  }

  /// The same over tensors: `Results` says how they are computed and where they go, `to`.
  template <class Results, class To, class... Given>
  void compare_arrays(const To& to, const Given&... given) const {
    using collected = typename Results::collected_results;
    collected plain, rewritten;
    using lowered = program::plainly_t<typename Results::source>;
    constexpr bool apart = Results::program_type::lowering_apart::problem == program::tensor_problem::none;
    Results::template compute_node_by_node<lowered, apart>(typename collected::targets{plain}, given...);
    using P = typename Results::template made<lowered>;
    std::vector<engine_check> checks = compared_containers<Results, P>(to, typename collected::targets{plain});
    if (differ(checks)) {
      Results::template compute_node_by_node<typename Results::source, false>(typename collected::targets{rewritten},
                                                                              given...);
      const auto others =
          compared_containers<Results, P>(typename collected::targets{rewritten}, typename collected::targets{plain});
      for (std::size_t o = 0; o < checks.size(); ++o) checks[o].rewritten_agrees = agrees(others[o], checks[o]);
    }
    for (const engine_check& check : checks) policy.report.checks.push_back(check);
  }

 private:
  template <class P, class T>
  static std::vector<engine_check> compared_elements(const std::vector<std::vector<T>>& fast,
                                                     const std::vector<std::vector<T>>& plain) {
    std::vector<engine_check> checks;
    for (std::size_t o = 0; o < plain.size(); ++o) {
      element_comparison all;
      for (std::size_t k = 0; k < plain[o].size(); ++k)
        all.add(k < fast[o].size() ? fast[o][k] : std::numeric_limits<T>::quiet_NaN(), plain[o][k]);
      checks.push_back(all.result({}, output_text<P>(o)));
    }
    return checks;
  }
  template <class Results, class P, class To, class From>
  static std::vector<engine_check> compared_containers(const To& fast, const From& plain) {
    std::vector<engine_check> checks;
    Results::for_each_output([&](std::string name, std::size_t output, const auto& container) {
      element_comparison all;
      const auto computed = Results::elements(container(fast)), expected = Results::elements(container(plain));
      const bool fits = computed.extents == expected.extents;
      expected.for_each([&](const auto& at) {
        const auto right = expected.data[expected.offset(at)];
        all.add(fits ? computed.data[computed.offset(at)] : std::numeric_limits<decltype(+right)>::quiet_NaN(), right);
      });
      checks.push_back(all.result(std::move(name), output_text<P>(output)));
    });
    return checks;
  }
  /// Whether most of a difference is not there in the rewritten program.
  static bool agrees(const engine_check& rewritten, const engine_check& fast) {
    return rewritten.error <= 0.5 * fast.error;
  }
  static bool differ(const std::vector<engine_check>& checks) {
    return !engine_report{checks}.passed(engine_report::rounding);
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
    constexpr loops::sequential alone;
    if constexpr (Execution_policy<First>)
      static_cast<void>(verb_(compared_policy<First>{first, report}, args...));
    else
      static_cast<void>(verb_(compared_policy<loops::sequential>{alone, report}, first, args...));
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
  if constexpr (Expression<G> || is_outputs<G>) {
    const auto verb = value(g);
    return detail::engine_comparison<std::remove_const_t<decltype(verb)>>(verb);
  } else {
    return detail::engine_comparison<G>(g);
  }
}

}  // namespace tapeless

#endif
