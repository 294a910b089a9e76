#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/core/number.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace operation {

// Argument-dependent lookup finds it for the library's own operations, which need no check.
void defined_here(const void*);

}  // namespace operation

namespace detail {

/// Whether `Op` has the members that an operation on so many operands needs. A value is looked for in numbers.
template <class Op, class... Es>
concept Defined_for =
    requires { defined_here(static_cast<const Op*>(nullptr)); } ||
    (
        requires { *&Op::name; } &&
        (
            requires { Op::value((static_cast<void>(static_cast<const Es*>(nullptr)), 1.0)...); } ||
            requires { Op::expand; } || requires { Op::lower; } || requires { Op::lower_list; } ||
            requires { Op::of_tensors; } || requires { Op::of_matrices; }) &&
        (
            !requires { Op::partials; } || requires { Op::partials.rule; } ||
            requires { requires decltype(Op::partials)::size == sizeof...(Es); }));

template <std::size_t I, class E>
struct operand_leaf {
  E operand;
};

template <class Indices, class... Es>
struct stored_operands;
template <std::size_t... I, class... Es>
struct stored_operands<std::index_sequence<I...>, Es...> : operand_leaf<I, Es>... {
  constexpr explicit stored_operands(const Es&... operands) : operand_leaf<I, Es>{operands}... {}

  template <std::size_t J, class E>
  static constexpr const E& at(const operand_leaf<J, E>& leaf) {
    return leaf.operand;
  }
  template <std::size_t J>
  constexpr const auto& operand() const {
    return at<J>(*this);
  }
};

/// visit(i) for each i below `Count`, a `std::integral_constant`.
template <std::size_t Count, class Visit>
TAPELESS_ALWAYS_INLINE constexpr void for_each_index(const Visit& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
    (visit(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<Count>{});
}

template <std::size_t J, class E, class... Es>
struct type_at : type_at<J - 1, Es...> {};
template <class E, class... Es>
struct type_at<0, E, Es...> {
  using type = E;
};

// A formula without run-time numbers has no state: its operands are made where they are read.
template <class... Es>
struct empty_operands {
  constexpr empty_operands() = default;
  constexpr explicit empty_operands(const Es&...)
    requires(sizeof...(Es) > 0)
  {}

  template <std::size_t J>
  constexpr auto operand() const {
    return typename type_at<J, Es...>::type{};
  }
};

template <class... Es>
using operands = std::conditional_t<(std::is_empty_v<Es> && ...), empty_operands<Es...>,
                                    stored_operands<std::index_sequence_for<Es...>, Es...>>;

}  // namespace detail

/// The operation `Op` applied to formulas. `operand<I>()` reads an operand back.
template <class Op, class... Es>
struct [[nodiscard]] Apply : expression<Apply<Op, Es...>>, private detail::operands<Es...> {
  using operation_type = Op;
  static constexpr std::size_t arity = sizeof...(Es);

  using detail::operands<Es...>::operands;
  using detail::operands<Es...>::operand;

  constexpr Apply() = default;
  template <class E>
  void operator=(const E&) = delete;  // tapeless: formulas of different types: write const auto g = f + x [TL003]
  constexpr explicit Apply(const Es&... operands)
    requires(sizeof...(Es) > 0)
      : detail::operands<Es...>(operands...) {}
};

namespace detail {

/// The number of names in a formula's type, written out: shared subexpressions count as often as they are used.
template <class E>
inline constexpr std::size_t written_size = 1;
template <class Op, class... Es>
inline constexpr std::size_t written_size<Apply<Op, Es...>> = (std::size_t{1} + ... + written_size<Es>);

/// Numbers, possibly with constants: operands for which an operation is computed immediately.
template <class... Es>
concept Plain = ((Numeric<Es> || is_constant<Es>) && ...) && (Numeric<Es> || ...);

/// Beyond this, clang takes long to print the names of types.
inline constexpr std::size_t max_written_size = 100'000;

}  // namespace detail

namespace error {

/// Replaces a formula that is too large to be a type: it has a short name, so that the message at its use is short too.
struct formula_too_large : expression<formula_too_large> {};

}  // namespace error

/// Applies an operation to operands, at least one of which is a formula. Every operation builds formulas this way,
/// including your own: `template <Symbolic E> constexpr auto softsign(E e) { return apply<Softsign>(e); }`.
template <class Op, Operand... Es>
  requires((sizeof...(Es) == 0 || (Expression<Es> || ...)) && !(is_traced<Es> || ...) && !detail::Plain<Es...>)
constexpr auto apply(const Es&... es) {
  if constexpr (!detail::Defined_for<Op, Es...>) {
    static_assert(detail::always_false<Op>,
                  "tapeless: an operation lacks what it needs to be applied to so many operands: it has a static "
                  "constexpr name, a value or an expand that takes them, and partials = rules(...) with one rule for "
                  "each of them [TL105]");
    if constexpr (sizeof...(Es) == 0)
      return detail::no_result{};
    else
      return (Zero{} + ... + es);
  } else if constexpr ((std::is_same_v<Es, error::formula_too_large> || ...) ||
                       (std::size_t{1} + ... + detail::written_size<as_expression_t<Es>>) > detail::max_written_size)
    return error::formula_too_large{};
  else
    return Apply<Op, as_expression_t<Es>...>(as_expression_t<Es>(es)...);
}

}  // namespace tapeless
