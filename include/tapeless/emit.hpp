#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/emit/nests_of_call.hpp>
#include <tapeless/emit/program_writer.hpp>
#include <tapeless/gradient/verbs.hpp>
#include <tapeless/inspect/text.hpp>

#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tapeless {

/// A function in C99, for `emit`.
struct c99 {
  static constexpr auto dialect = detail::c_dialect::c99;
};
/// A kernel in OpenCL C: each work-item computes an element of a batch.
struct opencl {
  static constexpr auto dialect = detail::c_dialect::opencl;
};
/// A kernel in CUDA C++: each thread computes an element of a batch.
struct cuda {
  static constexpr auto dialect = detail::c_dialect::cuda;
};

namespace error {

template <class Op>
struct operation_without_text;

}  // namespace error

namespace detail {

/// The results of the verb `V` of a program with so many `values`, the outputs of the finished program `P`.
template <verb V, class P>
constexpr program::growing_array<c_result> c_results(int values) {
  program::growing_array<c_result> all;
  const int outputs = static_cast<int>(P::value.outputs.size());
  int next = 0;
  const auto is_sequence = [](int k) { return P::value[P::value.output(k)].sequence; };
  const auto add = [&](std::string_view name, int count, int symmetric = 0) {
    bool sequences = false;
    for (int k = next; k < next + count; ++k) sequences = sequences || is_sequence(k);
    const auto numbers = [](int size) { return c_axis{c_axis::of::constant, size}; };
    for (int k = next; sequences && k < next + count; ++k)
      all.push_back({name, k - next, k, 1, 0, {1, {is_sequence(k) ? c_axis{} : numbers(1)}}});
    if (!sequences && count > 0)
      all.push_back({name, -1, next, count, symmetric, {1, {numbers(symmetric > 0 ? symmetric * symmetric : count)}}});
    next += count;
  };
  if (V.with_value || V.what == derives::nothing) add("value", values);
  const int rest = outputs - next;
  switch (V.what) {
    case derives::nothing: break;
    case derives::gradient:
    case derives::pullback: add("gradient", rest); break;
    case derives::jacobian: add("jacobian", rest); break;
    case derives::tangent: add("tangent", rest); break;
    case derives::hessian_product: add("product", rest); break;
    case derives::hessian: {
      // With the value there is the gradient too.
      int n = 0;
      while (static_cast<int>(triangle(static_cast<std::size_t>(n))) + (V.with_value ? n : 0) < rest) ++n;
      if (V.with_value) add("gradient", n);
      add("hessian", outputs - next, n);
      break;
    }
    default: add("entries", rest); break;
  }
  return all;
}

constexpr std::string_view c_name_of(verb v) {
  constexpr std::string_view names[] = {"value",
                                        "gradient",
                                        "Jacobian",
                                        "Hessian",
                                        "tangent",
                                        "pullback",
                                        "Hessian product",
                                        "entries of the sparse Jacobian",
                                        "entries of the sparse Hessian"};
  return names[static_cast<std::size_t>(v.what)];
}

/// The parameters, results and program of the verb `V` of numbers: its inputs, and the tangents or cotangents after
/// them.
template <verb V, class Source, class Program, class Number, class Layout>
struct numbers_of_call {
  using source = Source;
  using P = Program;
  using T = Number;
  static constexpr int extents = 0;
  static constexpr const c_source& head = c_source_of<P, T>::value;
  static constexpr auto value = program::as_array([] {
    program::growing_array<c_parameter> all;
    int inputs = 0;
    for (c_parameter p : inputs_in_c<false>(Layout{}, Source::value.variables))
      p.first = inputs, inputs += p.count, all.push_back(p);
    if (const int seeds = static_cast<int>(P::value.variables.size()) - inputs; seeds > 0)
      all.push_back({"seed", -1, inputs, seeds, false, false, true});
    return all;
  });
  static constexpr auto results =
      program::as_array([] { return c_results<V, P>(static_cast<int>(Source::value.outputs.size())); });
  static constexpr std::array parts{c_part{&head, {}}};
  static constexpr std::array<c_part, 0> columns{}, rows{};
};

/// Whether each vector is an argument of its own.
constexpr bool are_sequences_arguments(const c_source& source, std::span<const c_parameter> parameters) {
  bool result = true;
  for (int i = 0; i < source.view.size; ++i)
    if (const program::node& n = source.view.nodes[i]; n.kind == program::node_kind::variable && n.sequence)
      for (const c_parameter& p : parameters)
        result = result && (p.is_sequence || n.leaf < p.first || n.leaf >= p.first + p.count);
  return result;
}

/// Whether what loops over numbers store has an extent that is known before the call.
constexpr bool are_stores_bounded(c_frame in, std::span<const c_parameter> parameters, bool is_kernel) {
  bool result = true;
  if (in.source->plan.exists) return result;
  for (const c_loop& loop : in.source->loops) {
    bool stores = false;
    for (int output = loop.shape.carries; output < loop.shape.outputs(); ++output) stores = stores || loop.live[output];
    const c_axis extent = extent_of_loop(in, loop);
    bool bounded = extent.kind == c_axis::of::constant;
    if (extent.kind == c_axis::of::variable && !is_kernel)
      for (const c_parameter& p : parameters)
        bounded = bounded ||
                  (extent.number >= p.first && extent.number < p.first + p.count && (p.is_number || p.is_sequence));
    result = result && (!stores || bounded) &&
             are_stores_bounded({loop.body, "", nullptr, &in, &loop}, parameters, is_kernel);
  }
  return result;
}

/// The finished program of `Call`, which is of the verb `V`, as text.
template <class Language, fixed_string Name, verb V, class Call, class F>
class emitted_function {
  static constexpr std::size_t numbers = static_cast<std::size_t>(Call::source::value.numbers);
  [[no_unique_address]] F f_;
  std::array<double, numbers + 1> numbers_{};

 public:
  constexpr explicit emitted_function(const F& f) : f_(f) {
    if constexpr (numbers > 0) {
      const auto in_type = bound_inputs<typename Call::T, typename Call::source, wrt_variables<>>(f).numbers();
      for (std::size_t i = 0; i < numbers; ++i) numbers_[i] = static_cast<double>(in_type[i]);
    }
  }

  /// The same each time. In constant evaluation too, where the text is short.
  constexpr emitted_text text() const {
    const c_function all{Language::dialect, std::is_same_v<typename Call::T, float>,
                         Name.view(),       &Call::head,
                         Call::value,       Call::results,
                         Call::extents,     Call::parts,
                         Call::columns,     Call::rows};
    c_comment comment;
    const bool value_too = V.with_value && V.what != derives::nothing;
    comment.append(Name.view())
        .append(value_too ? ": the value and the " : ": the ")
        .append(c_name_of(V))
        .append(" of ");
    if constexpr (Expression<F>)
      write_formula<text_style>(comment, f_);
    else
      comment.append(is_outputs<F> ? "formulas" : "a function");
    comment += ". Written by tapeless.";
    return c_program_writer(all, numbers_.data()).write(comment.text);
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream,
                                                      const emitted_function& f) {
    return stream << f.text();
  }
};

/// Whether a function may have the name.
constexpr bool is_c_name(std::string_view name) {
  bool valid =
      !name.empty() && !begins_with_digit(name) && !is_c_word(name) && !is_c_function(name) && !is_reserved_in_c(name);
  for (const char c : name) valid = valid && is_of_c_name(c);
  return valid;
}

/// The text of a verb whose call is right, or what keeps it from being written.
template <class Language, fixed_string Name, verb V, class Call, class F>
constexpr auto emit_program(const F& f) {
  constexpr bool is_kernel = Language::dialect != c_dialect::c99;
  constexpr bool named = is_c_name(Name.view());
  static_assert(named,
                "tapeless: the name of an emitted function must be an identifier that C does not use itself [TL193]");
  using T = typename Call::T;
  constexpr bool of_type = std::is_same_v<T, double> || std::is_same_v<T, float>;
  static_assert(of_type, "tapeless: emit writes functions of numbers of type double or float [TL194]");
  if constexpr (named && of_type) {
    constexpr const program::operation_info* missing =
        c_program_writer::operation_without_text(Call::parts, Call::columns, Call::rows);
    using problem = typename decltype([] {
      if constexpr (missing == nullptr)
        return std::type_identity<void>{};
      else
        return std::type_identity<error::operation_without_text<program::operation_of<missing>>>{};
    }())::type;
    static_assert(
        !is_instance_of<error::operation_without_text, problem>,
        "tapeless: emit has no text for an operation of the function; operation_without_text<...> names it [TL195]");
    constexpr bool sequences = !is_kernel || [] {
      for (const c_parameter& p : Call::value)
        if (p.is_sequence) return false;
      return true;
    }();
    static_assert(sequences,
                  "tapeless: a kernel takes numbers and arrays of fixed size, and an argument is a vector [TL196]");
    constexpr bool apart = are_sequences_arguments(Call::head, Call::value);
    static_assert(apart,
                  "tapeless: emit takes std::vector and std::span as arguments of their own, not as members, rows, "
                  "tangents or cotangents [TL197]");
    constexpr bool stores =
        missing != nullptr || !sequences || !apart || are_stores_bounded({&Call::head, ""}, Call::value, is_kernel);
    static_assert(
        stores,
        "tapeless: emit needs the number of steps of a loop that stores its steps before the call: a constant, or "
        "in C an argument that is a number, or the length of an argument [TL198]");
    if constexpr (std::is_void_v<problem> && sequences && apart && stores)
      return emitted_function<Language, Name, V, Call, F>(f);
    else
      return no_result{};
  } else {
    return no_result{};
  }
}

/// The same of a verb over tensors with these results.
template <class Language, fixed_string Name, verb V, class Results, class Layout, class F>
constexpr auto emit_nests(const F& f) {
  using nests = nests_of_call<V, Results, Layout>;
  constexpr bool planned = nests::exists;
  static_assert(planned,
                "tapeless: the compiler stopped the constant evaluation that plans the loops; raise its limit, clang "
                "-fconstexpr-steps=100000000, g++ -fconstexpr-ops-limit=1000000000, or split the formula [TL233]");
  if constexpr (planned)
    return emit_program<Language, Name, V, nests>(f);
  else
    return no_result{};
}

/// Whether the call `Call` compiles; says so if it does not.
template <class Call>
constexpr bool can_be_emitted() {
  constexpr bool fits = std::is_void_v<typename Call::problem>;
  static_assert(fits, "tapeless: emit cannot write a call that does not compile; call the verb to see why [TL199]");
  return fits;
}

template <class Language, fixed_string Name, class T, verb V, class F, class Variables, class Policy, class Seeds,
          class... Us>
constexpr auto emit_formula(const formula_verb<V, F, Variables, Policy, Seeds>& verb, wrt_variables<Us...>) {
  using verb_type = formula_verb<V, F, Variables, Policy, Seeds>;
  if constexpr (can_be_emitted<formula_call<verb_type, binding<Us, T>...>>()) {
    using source = lowered<F>;
    using P = typename verb_type::template evaluated<source>;
    return emit_program<Language, Name, V, numbers_of_call<V, source, P, T, named_variables<>>>(verb.wrapped());
  } else {
    return no_result{};
  }
}

struct no_formula {};

template <class Language, fixed_string Name, class... Args, verb V, class F, class Positions, class Policy, class Seeds>
constexpr auto emit_function(std::type_identity<function_verb<V, F, Positions, Policy, Seeds>>) {
  using verb_type = function_verb<V, F, Positions, Policy, Seeds>;
  using layout = argument_layout<Args...>;
  if constexpr (!can_be_emitted<function_call<verb_type, Args...>>()) {
    return no_result{};
  } else if constexpr (is_over_tensors<F, Args...>()) {
    using results = typename call_over_tensors<verb_type, Args...>::results;
    return emit_nests<Language, Name, V, results, layout>(no_formula{});
  } else {
    using source = traced_program<F, Args...>;
    using variables = decltype([]<std::size_t... P>(std::index_sequence<P...>) {
      return typename verb_type::template variables<layout, P...>{};
    }(positions_of<Positions, Args...>{}));
    using P = typename verb_type::template evaluated<source, variables>;
    return emit_program<Language, Name, V, numbers_of_call<V, source, P, function_real_t<Args...>, layout>>(
        no_formula{});
  }
}
template <class Language, fixed_string Name, class... Bindings, verb V, class F, class Variables, class Policy,
          class Seeds>
constexpr auto emit_formula_of_tensors(const formula_verb<V, F, Variables, Policy, Seeds>& verb) {
  using verb_type = formula_verb<V, F, Variables, Policy, Seeds>;
  if constexpr (can_be_emitted<formula_call<verb_type, Bindings...>>())
    return emit_nests<Language, Name, V, typename call_over_tensors<verb_type, Bindings...>::results,
                      named_variables<Bindings...>>(verb.wrapped());
  else
    return no_result{};
}

template <class T>
struct emitted_argument : std::type_identity<T> {};
template <class V, class T>
struct emitted_argument<binding<V, T>> : std::type_identity<T> {};

template <class Language, fixed_string Name, class... Args, class G>
constexpr auto emit_verb(const G& g) {
  if constexpr (is_reported<G>)
    return g;
  else if constexpr (is_bound_verb<G>)
    return g.template with_data<Args...>([](const auto& of_all, const auto&... data) {
      return emit_verb<Language, Name, Args..., std::remove_cvref_t<decltype(data)>...>(of_all);
    });
  else if constexpr (Function_verb<G>)
    return emit_function<Language, Name, typename emitted_argument<Args>::type...>(
        std::type_identity<typename function_call<G, typename emitted_argument<Args>::type...>::verb_called>{});
  else if constexpr ((is_tensor_argument<Args> || ...))
    return emit_formula_of_tensors<Language, Name, Args...>(g);
  else {
    constexpr bool of_numbers = !takes_tensors<typename G::source>;
    static_assert(
        of_numbers,
        "tapeless: emit writes a formula of tensors for those that are bound: emit<c99, \"f\">(gradient(f), x = "
        "tensor) [TL201]");
    if constexpr (of_numbers)
      return emit_formula<Language, Name, typename common_real<typename emitted_argument<Args>::type...>::type>(
          g, typename all_variables<typename G::source>::type{});
    else
      return no_result{};
  }
}

}  // namespace detail

/// The program of a verb as a function of its own, in C99 or as a kernel in OpenCL or CUDA, for what has no C++20
/// compiler: `emit<c99, "name">(value_and_gradient(f), 1.0, params).text()`. It can be printed. The values of the
/// arguments do not matter, only their types; those of a formula may be left out, `emit<c99, "name">(gradient(f))`, for
/// doubles. doc/emit.md has what is written. Cost: of the text, linear in the program; nothing at run time.
template <class Language, fixed_string Name = "evaluate", class G, class... Args>
constexpr auto emit(const G& g, const Args&... args) {
  constexpr bool of_values = detail::stands_for_value<G> || Function<G>;
  if constexpr (detail::Verb_of_operand<G> || detail::is_reported<G>) {
    return detail::emit_verb<Language, Name, Args...>(g);
  } else {
    static_assert(of_values,
                  "tapeless: emit<c99, \"name\">(verb, arguments...) takes a verb of a formula or a function, such as "
                  "gradient(f), first [TL192]");
    if constexpr (of_values)
      return emit<Language, Name>(value(g), args...);
    else
      return detail::no_result{};
  }
}
/// The same for arguments of the given types: `emit<c99, "name", double, std::array<double, 3>>(gradient(f))`.
template <class Language, fixed_string Name, class First, class... Rest, class G>
constexpr auto emit(const G& g) {
  if constexpr (detail::Verb_of_operand<G> || detail::is_reported<G>)
    return detail::emit_verb<Language, Name, std::remove_cvref_t<First>, std::remove_cvref_t<Rest>...>(g);
  else
    return emit<Language, Name, First, Rest...>(value(g));
}

}  // namespace tapeless
