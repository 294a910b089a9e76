#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/make_verb.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/operation/gradient_surgery.hpp>
#include <tapeless/operation/scalar/comparison.hpp>
#include <tapeless/operation/scalar/complex.hpp>
#include <tapeless/program/lower/trace.hpp>

#include <array>
#include <cstddef>
#include <iosfwd>
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

/// The first formula or traced value, or an element of an array of some.
template <class E, class... Es>
constexpr auto symbol_of(const E& e, const Es&... es) {
  if constexpr (is_array_of_traced<E>)
    return e[0];
  else if constexpr (Symbolic<E>)
    return e;
  else
    return symbol_of(es...);
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

#define TAPELESS_NOT_OF_ARRAYS_AND_TENSORS(NAME)                                                                       \
  template <class A, class B>                                                                                          \
    requires((is_traced<A> && detail::is_array<B>) || (detail::is_array<A> && is_traced<B>))                           \
  constexpr traced NAME(const A& a, const B& b) {                                                                      \
    return detail::misused(program::fault::array_met, a, b);                                                           \
  }
TAPELESS_NOT_OF_ARRAYS_AND_TENSORS(dot)
TAPELESS_NOT_OF_ARRAYS_AND_TENSORS(matmul)
TAPELESS_NOT_OF_ARRAYS_AND_TENSORS(solve)
#undef TAPELESS_NOT_OF_ARRAYS_AND_TENSORS

#define TAPELESS_NOT_OF_ARRAY(NAME)                                                                                    \
  template <class E>                                                                                                   \
    requires detail::is_array_of_traced<E>                                                                             \
  constexpr auto NAME(const E& e) {                                                                                    \
    return detail::misused_array(e);                                                                                   \
  }
TAPELESS_NOT_OF_ARRAY(operator-)
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

#define TAPELESS_NOT_OF_COMPLEX(NAME)                                                                                  \
  template <int..., class T, class... Es>                                                                              \
    requires is_traced<T>                                                                                              \
  constexpr complex<T> NAME(const complex<T>& z, const Es&...) {                                                       \
    return {z.re.misused(program::fault::complex_met), z.im};                                                          \
  }
TAPELESS_NOT_OF_COMPLEX(asin)
TAPELESS_NOT_OF_COMPLEX(acos)
TAPELESS_NOT_OF_COMPLEX(atan)
TAPELESS_NOT_OF_COMPLEX(relu)
TAPELESS_NOT_OF_COMPLEX(sigmoid)
TAPELESS_NOT_OF_COMPLEX(softmax)
TAPELESS_NOT_OF_COMPLEX(prod)
TAPELESS_NOT_OF_COMPLEX(amax)
TAPELESS_NOT_OF_COMPLEX(amin)
TAPELESS_NOT_OF_COMPLEX(argmax)
TAPELESS_NOT_OF_COMPLEX(sort)
TAPELESS_NOT_OF_COMPLEX(var)
TAPELESS_NOT_OF_COMPLEX(det)
TAPELESS_NOT_OF_COMPLEX(inverse)
TAPELESS_NOT_OF_COMPLEX(cholesky)
TAPELESS_NOT_OF_COMPLEX(solve)
#undef TAPELESS_NOT_OF_COMPLEX

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
TAPELESS_C_FUNCTION(grad_scale, , 2)
TAPELESS_C_FUNCTION(grad_clip, , 3)
TAPELESS_C_FUNCTION(straight_through, , 2)
#include <tapeless/core/function_list.hpp>

// The shape of a result must be known when a program compiles. More than `MOST` operands are a call that lacks it.
#define TAPELESS_TAKES_AXES(NAME, MOST)                                                                                \
  template <class... Es>                                                                                               \
    requires(((Symbolic<Es> || detail::is_array_of_traced<Es>) || ...) && sizeof...(Es) > MOST)                        \
  constexpr auto NAME(const Es&... es) {                                                                               \
    static_assert(detail::always_false<Es...>,                                                                         \
                  "tapeless: " #NAME                                                                                   \
                  " takes axes, extents and subscripts as template arguments, as in sum<0>(x), reshape<2, 3>(x) and "  \
                  "einsum<\"ij,j->i\">(x, y) [TL260]");                                                                \
    return detail::symbol_of(es...);                                                                                   \
  }
TAPELESS_TAKES_AXES(sum, 1)
TAPELESS_TAKES_AXES(mean, 1)
TAPELESS_TAKES_AXES(var, 1)
TAPELESS_TAKES_AXES(stddev, 1)
TAPELESS_TAKES_AXES(prod, 1)
TAPELESS_TAKES_AXES(amax, 1)
TAPELESS_TAKES_AXES(amin, 1)
TAPELESS_TAKES_AXES(softmax, 1)
TAPELESS_TAKES_AXES(log_softmax, 1)
TAPELESS_TAKES_AXES(argmax, 1)
TAPELESS_TAKES_AXES(sort, 1)
TAPELESS_TAKES_AXES(flip, 1)
TAPELESS_TAKES_AXES(transpose, 1)
TAPELESS_TAKES_AXES(reshape, 1)
TAPELESS_TAKES_AXES(cumsum, 0)
TAPELESS_TAKES_AXES(roll, 0)
TAPELESS_TAKES_AXES(concatenate, 0)
TAPELESS_TAKES_AXES(einsum, 0)
#undef TAPELESS_TAKES_AXES
template <fixed_string... Names>
constexpr traced freeze(const traced& value) {
  return detail::misused(program::fault::freeze_met, value);
}
constexpr traced custom_gradient(const traced& value, detail::other_partials) {
  return detail::misused(program::fault::partials_unfit, value);
}
template <int = 0, Symbolic E, class Indices>
  requires(!Symbolic<Indices>)
constexpr E take(const E& e, const Indices&) {
  static_assert(is_traced<E>,
                "tapeless: the indices of take are an argument of the function, or a variable that gets them in the "
                "call; one that is known is slice<0>(x, 1, 2) [TL261]");
  if constexpr (is_traced<E>)
    return detail::misused(program::fault::indices_known, e);
  else
    return e;
}

template <class Char, class Traits, class G>
  requires(detail::Verb_of_operand<G> || detail::is_instance_of<gradient_map, G> ||
           detail::is_instance_of<hessian_map, G> || detail::is_instance_of<value_and_gradient_result, G>)
auto& operator<<(std::basic_ostream<Char, Traits>& stream, const G&) {
  static_assert(
      detail::always_false<G>,
      "tapeless: print numbers: call the verb, gradient(f)(x = 1.0), and print g[x] of its result g; a formula "
      "prints as text(f) [TL262]");
  return stream;
}

}  // namespace tapeless
