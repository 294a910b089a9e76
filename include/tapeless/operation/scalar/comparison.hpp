#pragma once

#include <tapeless/operation/definition/functions.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>

namespace tapeless {

namespace operation {

#define TAPELESS_COMPARISON(NAME, ROLE, SYMBOL, ORDERING)                                                              \
  struct NAME {                                                                                                        \
    static constexpr std::string_view name = #ROLE;                                                                    \
    static constexpr infix_notation infix{" " #SYMBOL " ", 3};                                                         \
    static constexpr auto role = opcode::ROLE;                                                                         \
    static constexpr tapeless::laws laws{.commutative = !ORDERING};                                                    \
    static constexpr bool condition = true, ordering = ORDERING;                                                       \
    static constexpr auto value = [](const auto& a, const auto& b) TAPELESS_INLINE_LAMBDA { return a SYMBOL b; };      \
  };
TAPELESS_COMPARISON(Less, less, <, true)
TAPELESS_COMPARISON(LessEqual, less_equal, <=, true)
TAPELESS_COMPARISON(Greater, greater, >, true)
TAPELESS_COMPARISON(GreaterEqual, greater_equal, >=, true)
TAPELESS_COMPARISON(Equal, equal, ==, false)
TAPELESS_COMPARISON(NotEqual, not_equal, !=, false)
#undef TAPELESS_COMPARISON

/// a && b, of conditions
struct And {
  static constexpr std::string_view name = "and";
  static constexpr tapeless::laws laws{.commutative = true};
  static constexpr auto role = opcode::logical_and;
  static constexpr infix_notation infix{" && ", 2};
  static constexpr bool condition = true;
  static constexpr auto value = [](const auto& a, const auto& b) TAPELESS_INLINE_LAMBDA { return a && b; };
};

/// a || b, of conditions
struct Or {
  static constexpr std::string_view name = "or";
  static constexpr tapeless::laws laws{.commutative = true};
  static constexpr auto role = opcode::logical_or;
  static constexpr infix_notation infix{" || ", 1};
  static constexpr bool condition = true;
  static constexpr auto value = [](const auto& a, const auto& b) TAPELESS_INLINE_LAMBDA { return a || b; };
};

/// !a, of a condition
struct Not {
  static constexpr std::string_view name = "not";
  static constexpr auto role = opcode::logical_not;
  static constexpr bool condition = true;
  static constexpr auto value = [](const auto& a) TAPELESS_INLINE_LAMBDA { return !a; };
};

}  // namespace operation

namespace detail {

/// Of comparisons that refused.hpp refuses: by order, of a condition with a number.
template <class Op, class L, class R>
inline constexpr bool is_chained = Op::ordering && is_condition<L>() != is_condition<R>();

}  // namespace detail

#define TAPELESS_COMPARISON_OPERATOR(SYMBOL, NAME)                                                                     \
  template <Operand L, Operand R>                                                                                      \
    requires((Symbolic<L> || Symbolic<R>) && !detail::is_chained<operation::NAME, L, R>)                               \
  constexpr auto operator SYMBOL(L l, R r) {                                                                           \
    if constexpr (is_constant<L> && is_constant<R>)                                                                    \
      return constant<(L::numerator * R::denominator SYMBOL R::numerator * L::denominator)>;                           \
    else                                                                                                               \
      return apply<operation::NAME>(l, r);                                                                             \
  }
TAPELESS_COMPARISON_OPERATOR(<, Less)
TAPELESS_COMPARISON_OPERATOR(<=, LessEqual)
TAPELESS_COMPARISON_OPERATOR(>, Greater)
TAPELESS_COMPARISON_OPERATOR(>=, GreaterEqual)
TAPELESS_COMPARISON_OPERATOR(==, Equal)
TAPELESS_COMPARISON_OPERATOR(!=, NotEqual)
#undef TAPELESS_COMPARISON_OPERATOR

template <Operand L, Operand R>
  requires(Symbolic<L> || Symbolic<R>)
constexpr auto operator&&(L l, R r) {
  return apply<operation::And>(l, r);
}

template <Operand L, Operand R>
  requires(Symbolic<L> || Symbolic<R>)
constexpr auto operator||(L l, R r) {
  return apply<operation::Or>(l, r);
}

template <Symbolic E>
constexpr auto operator!(E e) {
  return apply<operation::Not>(e);
}

}  // namespace tapeless
