#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/apply.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/number.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/operation/definition/properties.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

/// An operation is a small struct with a `name`, a `value` or an `expand`, and `partials`, the rules for its
/// derivative. doc/operations.md has the table of all members.
namespace tapeless {

/// One rule for each operand: rule i maps (operands..., result) to the partial derivative with respect to operand i. It
/// runs on formulas, where it gives a derivative type, and on the nodes of a program, where it appends to the program.
/// Only rules that a gradient needs are instantiated.
template <class... Rules>
struct rules {
  static constexpr std::size_t size = 0;
};
template <class Rule, class... Rules>
struct rules<Rule, Rules...> {
  static constexpr std::size_t size = 1 + sizeof...(Rules);
  [[no_unique_address]] Rule first;
  [[no_unique_address]] rules<Rules...> rest;

  constexpr explicit rules(Rule rule, Rules... others) : first(rule), rest(others...) {}

  template <std::size_t I>
  constexpr const auto& get() const {
    if constexpr (I == 0)
      return first;
    else
      return rest.template get<I - 1>();
  }
};
template <class... Rules>
rules(Rules...) -> rules<Rules...>;

/// The rule of an operation over any number of operands: it maps (operand, result, all) to the partial derivative with
/// respect to that operand; `all.template apply<Op>(first...)` applies Op to (first..., every operand).
template <class Rule>
struct rule_for_each {
  Rule rule;
  constexpr explicit rule_for_each(Rule partial) : rule(partial) {}
};

/// What SIMD lanes compute by a function of xsimd's, where that is as accurate as the C library's and has its special
/// values.
template <class F>
struct of_batch {
  F function;
  constexpr explicit of_batch(F of_xsimd) : function(of_xsimd) {}
  template <class Lanes>
  TAPELESS_ALWAYS_INLINE Lanes operator()(const Lanes& x) const {
    if (detail::rearranges_sums()) [[unlikely]]
      return number_by_number(function, x);
    return function(x.copy());
  }
};

/// How a binary operation prints: its symbol and how tightly it binds.
struct infix_notation {
  std::string_view symbol;
  int precedence;
};

namespace detail {

template <class R>
inline constexpr bool is_rule_for_each = false;
template <class R>
inline constexpr bool is_rule_for_each<rule_for_each<R>> = true;

template <class Op>
constexpr bool has_any_arity() {
  if constexpr (requires { Op::partials; })
    return is_rule_for_each<std::remove_cv_t<decltype(Op::partials)>>;
  else
    return false;
}

/// The number of operands of an operation that has one rule an operand.
template <class Op>
inline constexpr std::size_t arity = decltype(Op::partials)::size;

template <class Op>
concept Condition = requires { requires Op::condition; };
/// A comparison by order, which makes no sense of conditions.
template <class Op>
concept Ordering = requires { requires Op::ordering; };
template <class Op>
concept Pair_valued = requires { requires Op::pair; };
/// An operation whose value is two numbers in one register.
template <class Op>
concept Two_lanes_valued = requires { requires Op::two_lanes; };
/// Of tensors alone: `lower`, a lambda of operands, or `lower_list`, one of a list of them, says what it does, or the
/// operation says `of_tensors`.
template <class Op>
concept Tensor_operation =
    requires { Op::lower; } || requires { Op::lower_list; } || requires { requires Op::of_tensors; };
/// Of the matrices in tensors, computed by a routine of its own: program/differentiate/matrix_rule.hpp has its
/// derivatives.
template <class Op>
concept Of_matrices = requires { requires Op::of_matrices; };
/// Over axes of a tensor: see axis_reduction.hpp.
template <class Op>
concept Reduction = requires { requires Op::reduces; };
template <class Op>
concept Prevented = requires { Op::reason; };
template <class Op>
concept Sequence_valued = requires { requires Op::sequence; };
/// A loop or one of its outputs: program/lower/loop.hpp has their rules.
template <class Op>
concept Of_loops = requires { Op::outputs; } || requires { Op::output_read; } || Sequence_valued<Op>;
template <class Op>
concept Differentiable =
    (requires { Op::partials; } || Tensor_operation<Op> || Of_matrices<Op> || Of_loops<Op>) && !Prevented<Op>;
/// Whether a derivative goes through operand `I`.
template <class Op, int I>
constexpr bool passes_derivative() {
  if constexpr (requires { Op::passes(I); })
    return Op::passes(I);
  else
    return true;
}
template <class Op>
concept Composite = requires { Op::expand; };

}  // namespace detail

/// Applies an operation to plain numbers, and constants beside them: the number, in the common type of those that are
/// no integers, double if all are. So a function that is traced may be called with numbers too.
template <class Op, Operand... Es>
  requires detail::Plain<Es...>
TAPELESS_ALWAYS_INLINE constexpr auto apply(const Es&... es) {
  using T = typename detail::common_real<Es...>::type;
  if constexpr (detail::Composite<Op>)
    return Apply<Op, Number<std::conditional_t<true, T, Es>>...>(Number<T>(detail::immediate<T>(es))...)();
  else
    return Op::value(detail::immediate<T>(es)...);
}

/// A mathematical constant as an operation without operands: exact in every number type.
template <class Op>
  requires requires { Op::template constant<double>(); }
inline constexpr Apply<Op> mathematical_constant = Apply<Op>();

namespace detail {

/// The same among values of type `T`: of plain numbers a number.
template <class Op, class T>
TAPELESS_ALWAYS_INLINE constexpr auto constant_among() {
  if constexpr (Symbolic<T>)
    return mathematical_constant<Op>;
  else
    return Op::template constant<T>();
}

}  // namespace detail

/// Defines such an operation: DIGITS are rounded to a floating-point type, and in other types of numbers, T, it is
/// COMPUTED.
#define TAPELESS_CONSTANT(OPERATION, NAME, DIGITS, COMPUTED)                                                           \
  struct OPERATION {                                                                                                   \
    static constexpr std::string_view name = NAME;                                                                     \
    template <class T>                                                                                                 \
    TAPELESS_ALWAYS_INLINE static constexpr T constant() {                                                             \
      if constexpr (std::floating_point<T>)                                                                            \
        return static_cast<T>(DIGITS);                                                                                 \
      else                                                                                                             \
        return COMPUTED;                                                                                               \
    }                                                                                                                  \
  };

/// The name and the value of an operation that math computes, by its function NAME.
#define TAPELESS_COMPUTED_BY(NAME)                                                                                     \
  static constexpr std::string_view name = #NAME;                                                                      \
  static constexpr auto value = [](const auto&... operands) TAPELESS_INLINE_LAMBDA { return math::NAME(operands...); };

/// Defines such an operation of one operand: RULE is that of its derivative, and its samples follow.
#define TAPELESS_MATH_FUNCTION(OPERATION, NAME, RULE, ...)                                                             \
  struct OPERATION {                                                                                                   \
    TAPELESS_COMPUTED_BY(NAME)                                                                                         \
    static constexpr rules partials{RULE};                                                                             \
    static constexpr double samples[][1] = {__VA_ARGS__};                                                              \
  };

/// Defines an operation of tensors alone, which the function NAME of a lowering takes apart: the first operand, the
/// parameters of the operation, and the other operands.
#define TAPELESS_LOWERED(OPERATION, NAME, ...)                                                                         \
  struct OPERATION {                                                                                                   \
    static constexpr std::string_view name = #NAME;                                                                    \
    static constexpr auto lower = [](auto& to, const auto& operand, const auto&... others) {                           \
      return to.NAME(operand __VA_OPT__(, ) __VA_ARGS__, others...);                                                   \
    };                                                                                                                 \
  };

/// Defines the function NAME that applies OPERATION to COUNT operands. Of two templates the one without a pack is
/// called: a function that users define, or the standard library's, is preferred to ours of the same name.
#define TAPELESS_FUNCTION_OF(COUNT, NAME, OPERATION)                                                                   \
  template <Operand... Es>                                                                                             \
    requires(sizeof...(Es) == COUNT)                                                                                   \
  TAPELESS_ALWAYS_INLINE constexpr auto NAME(Es... es) {                                                               \
    return apply<OPERATION>(es...);                                                                                    \
  }

}  // namespace tapeless
