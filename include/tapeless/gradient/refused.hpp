#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/operation/scalar/comparison.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

/// Operators that formulas and traced functions reject, although C++ would accept them with another meaning. Each
/// message says what to write instead; for a traced function, the mistake is recorded for the message of the public
/// function. They are in a header of their own because compilers print the include path of an error.
namespace tapeless {

namespace detail {

template <class... Ts>
constexpr traced misused(program::fault how, const Ts&... operands) {
  traced result{};
  const auto take = [&](const auto& operand) {
    if constexpr (is_traced<std::remove_cvref_t<decltype(operand)>>) result = operand.misused(how);
  };
  (take(operands), ...);
  return result;
}

}  // namespace detail

template <Operand L, Operand R>
  requires((Symbolic<L> || Symbolic<R>) && detail::is_chained<operation::Less, L, R>)
constexpr auto operator<(L, R) {
  static_assert(detail::always_false<L>,
                "tapeless: 0 < x < 1 compares a condition with 1; write 0 < x && x < 1 [TL010]");
  return Zero{};
}
template <Operand L, Operand R>
  requires((Symbolic<L> || Symbolic<R>) && detail::is_chained<operation::LessEqual, L, R>)
constexpr auto operator<=(L, R) {
  static_assert(detail::always_false<L>,
                "tapeless: 0 < x < 1 compares a condition with 1; write 0 < x && x < 1 [TL010]");
  return Zero{};
}
template <Operand L, Operand R>
  requires((Symbolic<L> || Symbolic<R>) && detail::is_chained<operation::Greater, L, R>)
constexpr auto operator>(L, R) {
  static_assert(detail::always_false<L>,
                "tapeless: 0 < x < 1 compares a condition with 1; write 0 < x && x < 1 [TL010]");
  return Zero{};
}
template <Operand L, Operand R>
  requires((Symbolic<L> || Symbolic<R>) && detail::is_chained<operation::GreaterEqual, L, R>)
constexpr auto operator>=(L, R) {
  static_assert(detail::always_false<L>,
                "tapeless: 0 < x < 1 compares a condition with 1; write 0 < x && x < 1 [TL010]");
  return Zero{};
}

template <Operand L, Operand R>
  requires(Expression<L> || Expression<R>)
constexpr auto operator&(L, R) {
  static_assert(detail::always_false<L>, "tapeless: combine conditions with &&: (x > 0) && (y > 0) [TL011]");
  return Zero{};
}
template <Operand L, Operand R>
  requires(Expression<L> || Expression<R>)
constexpr auto operator|(L, R) {
  static_assert(detail::always_false<L>, "tapeless: combine conditions with ||: (x > 0) || (y > 0) [TL012]");
  return Zero{};
}
template <Operand L, Operand R>
  requires(Expression<L> || Expression<R>)
constexpr auto operator^(L, R) {
  static_assert(detail::always_false<L>, "tapeless: ^ is not a power; write square(x) or pow(x, 3_c) [TL013]");
  return Zero{};
}
template <Operand L, Operand R>
  requires(Expression<L> || Expression<R>)
constexpr auto operator%(L l, R) {
  static_assert(detail::always_false<L>, "tapeless: formulas have no %; write x - n * floor(x / n) [TL014]");
  return l;
}
#define TAPELESS_NOT_OF_TRACED(OP)                                                                                     \
  template <Operand L, Operand R>                                                                                      \
    requires(is_traced<L> || is_traced<R>)                                                                             \
  constexpr traced operator OP(L l, R r) {                                                                             \
    return detail::misused(program::fault::bits_wanted, l, r);                                                         \
  }
TAPELESS_NOT_OF_TRACED(&)
TAPELESS_NOT_OF_TRACED(|)
TAPELESS_NOT_OF_TRACED(^)
TAPELESS_NOT_OF_TRACED(%)
#undef TAPELESS_NOT_OF_TRACED

namespace detail {

template <class T>
inline constexpr bool is_array_of_traced = false;
template <class T, std::size_t N>
  requires(is_traced<T> && N > 0)
inline constexpr bool is_array_of_traced<std::array<T, N>> = true;

/// The first array among the operands, where the mistake is kept in mind.
template <class T, class... Ts>
constexpr auto misused_array(const T& first, const Ts&... others) {
  if constexpr (is_array_of_traced<T>) {
    for (const auto& element : first) static_cast<void>(element.misused(program::fault::array_met));
    return first;
  } else
    return misused_array(others...);
}

}  // namespace detail

#define TAPELESS_NOT_OF_ARRAYS(OP)                                                                                     \
  template <class L, class R>                                                                                          \
    requires(detail::is_array_of_traced<L> || detail::is_array_of_traced<R>)                                           \
  constexpr auto operator OP(const L& l, const R& r) {                                                                 \
    return detail::misused_array(l, r);                                                                                \
  }
TAPELESS_NOT_OF_ARRAYS(+)
TAPELESS_NOT_OF_ARRAYS(-)
TAPELESS_NOT_OF_ARRAYS(*)
TAPELESS_NOT_OF_ARRAYS(/)
#undef TAPELESS_NOT_OF_ARRAYS
template <class E>
  requires detail::is_array_of_traced<E>
constexpr auto operator-(const E& e) {
  return detail::misused_array(e);
}

#define TAPELESS_NOT_OF_ARRAYS(NAME)                                                                                   \
  template <class... Es>                                                                                               \
    requires(detail::is_array_of_traced<Es> || ...)                                                                    \
  constexpr auto NAME(const Es&... es) {                                                                               \
    return detail::misused_array(es...)[0];                                                                            \
  }
TAPELESS_NOT_OF_ARRAYS(prod)
TAPELESS_NOT_OF_ARRAYS(amax)
TAPELESS_NOT_OF_ARRAYS(amin)
TAPELESS_NOT_OF_ARRAYS(softmax)
#undef TAPELESS_NOT_OF_ARRAYS

#define TAPELESS_NOT_OF_ARRAY(NAME)                                                                                    \
  template <class E>                                                                                                   \
    requires detail::is_array_of_traced<E>                                                                             \
  constexpr auto NAME(const E& e) {                                                                                    \
    return detail::misused_array(e);                                                                                   \
  }
TAPELESS_NOT_OF_ARRAY(exp)
TAPELESS_NOT_OF_ARRAY(log)
TAPELESS_NOT_OF_ARRAY(sqrt)
TAPELESS_NOT_OF_ARRAY(square)
TAPELESS_NOT_OF_ARRAY(sin)
TAPELESS_NOT_OF_ARRAY(cos)
TAPELESS_NOT_OF_ARRAY(tanh)
TAPELESS_NOT_OF_ARRAY(abs)
TAPELESS_NOT_OF_ARRAY(relu)
TAPELESS_NOT_OF_ARRAY(sigmoid)
#undef TAPELESS_NOT_OF_ARRAY

// Without these, compilers list every function of that name, those of the standard library too. Of three numbers there
// is another hypot.
#define TAPELESS_FUNCTION(NAME, OPERATION, COUNT)
#define TAPELESS_C_FUNCTION(NAME, OPERATION, COUNT)                                                                    \
  template <class E, class... Es>                                                                                      \
    requires(sizeof...(Es) + 1 != COUNT && (sizeof...(Es) + 1 != 3 || std::string_view(#NAME) != "hypot") &&           \
             (Operand<Es> && ... && Operand<E>) && (Symbolic<Es> || ... || Symbolic<E>))                               \
  constexpr auto NAME(const E& first, const Es&...) {                                                                  \
    static_assert(detail::always_false<E>, "tapeless: wrong number of operands: " #NAME " takes " #COUNT " [TL009]");  \
    return first;                                                                                                      \
  }
#include <tapeless/core/function_list.hpp>

}  // namespace tapeless
