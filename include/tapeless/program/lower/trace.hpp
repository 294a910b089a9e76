#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/math/infinity.hpp>
#include <tapeless/operation/scalar/reduction.hpp>
#include <tapeless/operation/tensor/pick.hpp>
#include <tapeless/program/rewrite/fold.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// No templates, so that they are called after `using std::max;` too; of a class template, so that only a program that
/// calls them pays for them.
template <class T>
struct max_and_min {
  friend constexpr T max(const T& a, const T& b) { return apply<operation::Max>(a, b); }
  friend constexpr T min(const T& a, const T& b) { return apply<operation::Min>(a, b); }
};

}  // namespace detail

class traced;

}  // namespace tapeless

/// Of symbols, whose number type the call decides: what is alike in double and float. The others are no constants, so
/// that a traced function cannot call them.
template <>
class std::numeric_limits<tapeless::traced> : public std::numeric_limits<double> {
 public:
  static constexpr bool is_specialized = false;
  template <class T = tapeless::traced>
  static constexpr T infinity() {
    return tapeless::detail::infinity_of<double>();
  }
  template <class T = tapeless::traced>
  static constexpr T quiet_NaN() {
    return std::numeric_limits<double>::quiet_NaN();
  }
  static tapeless::traced epsilon(), min(), max(), lowest(), denorm_min();
};

namespace tapeless {

/// The argument of a traced function: a node of the program that the function's operations append to. Plain numbers
/// convert to it, so `T sum = 0; for (...) sum += x[i];` works with T deduced as this type.
class
#ifndef TAPELESS_EDG  // which warns of `sum += x` too
    [[nodiscard]]
#endif
    traced : detail::max_and_min<traced> {
 public:
  // Trivial, as that of a number: `T sum{}` is 0, and a `T sum` that is read before it has a value is refused in
  // constant evaluation.
  traced() = default;
  template <Numeric T>
  constexpr traced(const T& number) : traced(program::constant_from(number)) {}
  template <std::intmax_t N, std::intmax_t D>
  constexpr traced(Constant<N, D>) : traced(program::constant_value{N, D, 0.0}) {}
  constexpr explicit traced(const program::constant_value& constant)
      : graph_(nullptr),
        value_(constant.exact() ? constant.numerator : std::bit_cast<std::int64_t>(constant.literal)),
        denominator_(constant.denominator) {}
  constexpr traced(program::builder& graph, int node) : graph_(&graph), value_(node), denominator_(0) {}

  /// A constant is a number. That any other value is not yet, the public function reports, in one message: an error
  /// here would come with the whole way from there to the function's line.
  constexpr operator double() const { return known(program::fault::number_wanted); }
  constexpr explicit operator bool() const { return known(program::fault::condition_wanted) != 0.0; }

  constexpr program::builder* graph() const { return graph_; }
  /// The node in `graph`, where a constant becomes a node when it is first used.
  constexpr int node_in(program::builder& graph) const {
    return graph_ ? static_cast<int>(value_) : graph.constant(constant());
  }

  /// Itself, where a mistake is kept in mind for the public function's message.
  constexpr traced misused(program::fault how) const {
    if (graph_) graph_->misused(how);
    return *this;
  }

  /// As a part of a complex number that is compared by order.
  constexpr traced without_order() const { return misused(program::fault::order_wanted); }

  /// Whether this is the constant 1.
  constexpr bool is_one() const { return graph_ ? graph_->is_constant(static_cast<int>(value_), 1) : constant().is(1); }
  /// A condition as 0 or 1.
  constexpr traced as_number() const {
    return graph_ ? traced(*graph_, graph_->as_number(static_cast<int>(value_))) : *this;
  }

  /// Of a tensor: a row `x[i]`, an element `x(i, j)`, and so on for the first axes; negative indices count from the
  /// back. They are integers that are written in the function, or integer arguments of it, which are not negative.
  template <Operand I>
  constexpr traced operator[](const I& i) const {
    return (*this)(i);
  }
  template <Operand... I>
    requires(sizeof...(I) > 0)
  constexpr traced operator()(const I&... i) const {
    return apply<operation::Pick>(*this, i...);
  }

  /// A vector has no length yet, and no elements to go through.
  constexpr std::size_t size() const { return static_cast<void>(misused(program::fault::length_wanted)), 0; }
  constexpr const traced* begin() const { return static_cast<void>(size()), nullptr; }
  constexpr const traced* end() const { return nullptr; }

  traced(const traced&) = default;
  traced& operator=(const traced&) & = default;
  /// An element of a tensor is a value, not a place in it.
  template <Operand E>
  constexpr const traced& operator=(const E& e) && {
    if constexpr (is_traced<E>) static_cast<void>(e.misused(program::fault::element_assigned));
    return static_cast<void>(misused(program::fault::element_assigned)), *this;
  }
#define TAPELESS_ASSIGNS(OP)                                                                                           \
  template <Operand E>                                                                                                 \
  constexpr traced& operator OP##=(E e)& {                                                                             \
    return *this = *this OP e;                                                                                         \
  }                                                                                                                    \
  template <Operand E>                                                                                                 \
  constexpr const traced& operator OP##=(E e)&& {                                                                      \
    return std::move(*this) = e;                                                                                       \
  }
  TAPELESS_ASSIGNS(+)
  TAPELESS_ASSIGNS(-)
  TAPELESS_ASSIGNS(*)
  TAPELESS_ASSIGNS(/)
#undef TAPELESS_ASSIGNS
  /// What is declared with `decltype(x[0])` is a reference to const.
  template <Operand E>
    requires is_traced<E>
  constexpr const traced& operator=(const E& e) const {
    return static_cast<void>(e.misused(program::fault::constant_changed)), *this;
  }
  template <Operand E>
  constexpr const traced& operator+=(const E& e) const {
    if constexpr (is_traced<E>) *this = e;
    return *this;
  }

 private:
  constexpr program::constant_value constant() const {
    if (denominator_ != 0) return {value_, denominator_, 0.0};
    return {0, 0, std::bit_cast<double>(value_)};
  }
  constexpr double known(program::fault otherwise) const {
    if (!graph_) return constant().as<double>();
    graph_->misused(otherwise);
    return 0.0;
  }

  program::builder* graph_;
  // The node; or a constant, a ratio or the bits of a literal. Few members: constant evaluation copies each by itself.
  std::int64_t value_, denominator_;
};

template <>
inline constexpr bool is_traced<traced> = true;
template <>
inline constexpr bool is_traced<detail::result_after_error<traced>> = true;

namespace detail {

template <class E>
inline constexpr bool is_mathematical_constant = false;
template <class Op>
inline constexpr bool is_mathematical_constant<Apply<Op>> = true;

template <class E>
constexpr program::builder* graph_of(const E& e) {
  if constexpr (is_traced<E>)
    return static_cast<const traced&>(e).graph();
  else
    return nullptr;
}

template <class E>
constexpr int node_in(program::builder& graph, const E& e) {
  if constexpr (is_mathematical_constant<E>)
    return graph.append_as_is(program::info<typename E::operation_type>, nullptr, 0);
  else if constexpr (is_traced<E>)
    return static_cast<const traced&>(e).node_in(graph);
  else if constexpr (is_constant<E> || Numeric<E>)
    return traced(e).node_in(graph);
  else if constexpr (requires { typename E::operation_type; })  // of constants, as exp(1_c)
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return apply<typename E::operation_type>(traced(graph, node_in(graph, e.template operand<I>()))...)
          .node_in(graph);
    }(std::make_index_sequence<E::arity>{});
  else {
    graph.misused(Operand<E> ? program::fault::formula_met : program::fault::operation_undefined);
    return graph.constant(0);
  }
}

template <class Op, class... Ts>
concept Computes = requires(Ts... numbers) { Op::value(numbers...); };

/// An operand that is a constant.
template <class E>
constexpr double constant_in_double(program::builder& scratch, const E& e) {
  if constexpr (is_mathematical_constant<E>)
    return E::operation_type::template constant<double>();
  else if constexpr (requires { typename E::operation_type; })
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const traced numbers[] = {constant_in_double(scratch, e.template operand<I>())...};
      return constant_in_double(scratch, apply<typename E::operation_type>(numbers[I]...));
    }(std::make_index_sequence<E::arity>{});
  else
    return scratch.constant_of(node_in(scratch, e))->template as<double>();
}

// Not constexpr: a compiler that meets it in constant evaluation names it.
inline void compute_with_plain_numbers_until_the_first_argument_enters() {}

}  // namespace detail

namespace program {

/// The operands of an operation over any number of operands, as its `expand` and its rule see them.
class operand_list {
 public:
  constexpr operand_list(const traced* operands, int count) : operands_(operands, count) {}
  constexpr operand_list(builder& graph, const int* nodes, int count) {
    for (int i = 0; i < count; ++i) operands_.push_back(traced(graph, nodes[i]));
  }

  constexpr int size() const { return operands_.size; }
  constexpr traced operator[](int i) const { return operands_.data[i]; }

  /// combine(... combine(map(operand First), map(operand First + 1)) ...)
  template <int First, class Map, class Combine>
  constexpr traced fold(Map map, Combine combine) const {
    traced result = map((*this)[First]);
    for (int i = First + 1; i < size(); ++i) result = combine(result, traced(map((*this)[i])));
    return result;
  }

  /// Op applied to (first..., every operand), which are nodes.
  template <class Op, class... First>
  constexpr traced apply(const First&... first) const {
    builder& graph = *(*this)[0].graph();
    growing_array<int> nodes;
    (nodes.push_back(tapeless::detail::node_in(graph, first)), ...);
    for (const traced& operand : operands_) nodes.push_back(operand.node_in(graph));
    return traced(graph, graph.append(info<Op>, nodes.data, nodes.size));
  }

 private:
  growing_array<traced> operands_;
};

/// Records the loop that applies `Op` to operands of which one is a sequence; -1 if none is. Defined in
/// sequence_operations.hpp.
template <class Op>
constexpr int apply_to_sequences(builder& graph, const int* operands, int count);

}  // namespace program

template <class Op, Operand... Es>
  requires(is_traced<Es> || ...) && (!detail::Defined_for<Op, Es...>)
constexpr traced apply(const Es&... es) {
  const traced operands = (Zero{} + ... + traced(es));
  if (!operands.graph()) detail::compute_with_plain_numbers_until_the_first_argument_enters();
  return operands.misused(program::fault::operation_undefined);
}
/// Appends an operation to the program that a traced function records.
template <class Op, Operand... Es>
  requires(is_traced<Es> || ...) && detail::Defined_for<Op, Es...>
constexpr traced apply(const Es&... es) {
  program::builder* graph = nullptr;
  ((graph = graph ? graph : detail::graph_of(es)), ...);
  if (!graph) {
    // Constants alone: a program of their own folds what is exact, the rest is computed as plain doubles would be.
    program::builder scratch;
    const int operands[] = {detail::node_in(scratch, es)...};
    const program::constant_value* folded =
        scratch.constant_of(scratch.append(program::info<Op>, operands, sizeof...(Es)));
    if (folded) return traced(*folded);
    using enum program::opcode;
    constexpr program::opcode kind = program::info<Op>.opcode;
    using number = std::conditional_t<kind == logical_and || kind == logical_or || kind == logical_not, bool, double>;
    if constexpr (detail::Computes<Op, std::conditional_t<true, number, Es>...> && kind != program::opcode::where)
      return traced(Op::value(static_cast<number>(detail::constant_in_double(scratch, es))...));
    else if constexpr (detail::Composite<Op>) {
      const traced constants[] = {detail::constant_in_double(scratch, es)...};
      const auto expanded = [&]<std::size_t... I>(std::index_sequence<I...>) {
        if constexpr (detail::has_any_arity<Op>())
          return Op::expand(program::operand_list(constants, sizeof...(Es)));
        else
          return Op::expand(constants[I]...);
      }(std::index_sequence_for<Es...>{});
      if constexpr (Operand<decltype(expanded)>)
        return expanded;
      else
        return {};
    } else {
      detail::compute_with_plain_numbers_until_the_first_argument_enters();
      return {};
    }
  }
  const int operands[] = {detail::node_in(*graph, es)...};
  if (graph->has_sequences && graph->mode() != program::stage::recording)
    if (const int loop = program::apply_to_sequences<Op>(*graph, operands, sizeof...(Es)); loop >= 0)
      return traced(*graph, loop);
  if constexpr (detail::Tensor_operation<Op>)
    if (graph->mode() != program::stage::recording) graph->misused(program::fault::tensor_wanted);
  if constexpr (detail::Ordering<Op>)
    if (graph->nodes[operands[0]].condition != graph->nodes[operands[1]].condition)
      graph->misused(program::fault::comparison_chained);
  return traced(*graph, graph->mode() == program::stage::recording
                            ? graph->append_as_is(program::info<Op>, operands, sizeof...(Es))
                            : graph->append(program::info<Op>, operands, sizeof...(Es)));
}

/// The value of `e`; its derivative is zero and the operations behind it get no adjoints.
template <fixed_string Name = fixed_string("")>
constexpr traced stop_gradient(const traced& e) {
  return e.graph() ? traced(*e.graph(), e.graph()->stop(e.node_in(*e.graph()))) : e;
}

namespace program::detail {

/// How many operands `Op` expands: those of its rules; without rules the fewest that it takes.
template <class Op, std::size_t... I>
constexpr std::size_t count_expanded(std::index_sequence<I...>) {
  if constexpr (requires { Op::partials; })
    return tapeless::detail::arity<Op>;
  else if constexpr (requires(const traced& operand) { Op::expand((static_cast<void>(I), operand)...); })
    return sizeof...(I);
  else
    return count_expanded<Op>(std::make_index_sequence<sizeof...(I) + 1>{});
}
template <class Op>
constexpr int expand(builder& graph, const int* operands, int count) {
  if constexpr (tapeless::detail::has_any_arity<Op>())
    return tapeless::detail::node_in(graph, Op::expand(operand_list(graph, operands, count)));
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return tapeless::detail::node_in(graph, Op::expand(traced(graph, operands[I])...));
    }(std::make_index_sequence<count_expanded<Op>(std::index_sequence<0>{})>{});
}

}  // namespace program::detail

}  // namespace tapeless
