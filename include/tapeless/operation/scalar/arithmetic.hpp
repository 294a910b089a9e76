#pragma once

#include <tapeless/math/math.hpp>
#include <tapeless/math/range.hpp>
#include <tapeless/operation/definition/functions.hpp>

#include <cstdint>

namespace tapeless {

namespace operation {

/// a + b
struct Add {
  TAPELESS_COMPUTED_BY(add)
  static constexpr tapeless::laws laws{.commutative = true};
  static constexpr auto role = opcode::add;
  static constexpr operation_counts cost{.additions = 1};
  static constexpr infix_notation infix{" + ", 4};
  static constexpr rules partials{[](auto, auto, auto) { return 1_c; }, [](auto, auto, auto) { return 1_c; }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

/// a - b
struct Subtract {
  TAPELESS_COMPUTED_BY(subtract)
  static constexpr auto role = opcode::subtract;
  static constexpr operation_counts cost{.additions = 1};
  static constexpr infix_notation infix{" - ", 4};
  static constexpr rules partials{[](auto, auto, auto) { return 1_c; }, [](auto, auto, auto) { return constant<-1>; }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

/// a * b
struct Multiply {
  TAPELESS_COMPUTED_BY(multiply)
  static constexpr tapeless::laws laws{.commutative = true};
  static constexpr auto role = opcode::multiply;
  static constexpr operation_counts cost{.multiplications = 1};
  static constexpr infix_notation infix{" * ", 5};
  static constexpr rules partials{[](auto, auto b, auto) { return b; }, [](auto a, auto, auto) { return a; }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

/// a b + c, a b - c and c - a b: what evaluation makes of a sum of products.
struct MultiplyAdd {
  TAPELESS_COMPUTED_BY(multiply_add)
  static constexpr operation_counts cost{.additions = 1, .multiplications = 1};
};
struct MultiplySubtract {
  TAPELESS_COMPUTED_BY(multiply_subtract)
  static constexpr operation_counts cost{.additions = 1, .multiplications = 1};
};
struct SubtractProduct {
  TAPELESS_COMPUTED_BY(subtract_product)
  static constexpr operation_counts cost{.additions = 1, .multiplications = 1};
};

/// y / b, given 1 / b, which lanes multiply with.
struct TimesInverse {
  TAPELESS_COMPUTED_BY(times_inverse)
  static constexpr operation_counts cost{.divisions = 1};
  static constexpr int latency = 1;
  static constexpr bool passes(int operand) { return operand < 2; }
  static constexpr rules partials{
      [](auto, auto, auto inverse, auto) { return inverse; },
      [](auto, auto b, auto inverse, auto quotient) { return -apply<TimesInverse>(quotient, b, inverse); },
      [](auto, auto, auto, auto) { return 0_c; }};
};

/// y / b, given 1 / b, where b is the same for many y: one division instead of one for each. Made before a loop only.
struct UniformQuotient {
  static constexpr std::string_view name = "uniform_quotient";
  static constexpr operation_counts cost{.multiplications = 1};
  static constexpr auto value = [](const auto& y, const auto& b, const auto& inverse)
                                    TAPELESS_INLINE_LAMBDA { return math::product_with_inverse(y, b, inverse); };
};

/// a / b. The partial by b is no product with 1 / b, which overflows where b is subnormal, unless it is that of 1 / b.
struct Divide {
  TAPELESS_COMPUTED_BY(divide)
  static constexpr auto role = opcode::divide;
  static constexpr operation_counts cost{.divisions = 1};
  static constexpr infix_notation infix{" / ", 5};
  static constexpr rules partials{[](auto, auto b, auto) { return 1_c / b; },
                                  [](auto a, auto b, auto y) {
                                    if constexpr (is_traced<decltype(y)>)
                                      return a.is_one() ? -(y * y) : -apply<TimesInverse>(y, b, 1_c / b);
                                    else
                                      return -(y / b);
                                  }};
  static constexpr double samples[][2] = {{1.5, -0.25}, {-3.0, 2.0}};
};

/// -a
struct Negate {
  static constexpr std::string_view name = "negate";
  static constexpr auto role = opcode::negate;
  static constexpr operation_counts cost{.negations = 1};
  static constexpr auto value = [](const auto& a) TAPELESS_INLINE_LAMBDA { return -a; };
  static constexpr rules partials{[](auto, auto) { return constant<-1>; }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

}  // namespace operation

namespace detail {

// Ratios with parts below 2^31 combine without overflow; larger ones stay unevaluated.
constexpr bool combines(std::intmax_t n, std::intmax_t d) {
  constexpr std::intmax_t limit = std::intmax_t{1} << 31;
  return -limit < n && n < limit && d < limit;
}
template <class L, class R>
inline constexpr bool are_small_constants = false;
template <std::intmax_t N, std::intmax_t D, std::intmax_t M, std::intmax_t E>
inline constexpr bool are_small_constants<Constant<N, D>, Constant<M, E>> = combines(N, D) && combines(M, E);

template <class E>
constexpr bool is_condition() {
  if constexpr (requires { typename E::operation_type; })
    return Condition<typename E::operation_type>;
  else if constexpr (requires { typename E::definition; })
    return is_condition<typename E::definition>();
  else if constexpr (requires { typename E::operand_type; })
    return is_condition<typename E::operand_type>();
  else
    return false;
}

/// An operand that arithmetic leaves as it is: a comparison becomes a number, 0 or 1, all the same.
template <class E>
constexpr auto as_number(const E& e) {
  if constexpr (requires { e.as_number(); })
    return e.as_number();
  else if constexpr (is_condition<E>())
    return apply<operation::Multiply>(One{}, e);
  else
    return e;
}

}  // namespace detail

// Operands are taken by value: a reference to a `constexpr double k` would have to be captured by the lambda that
// computes with it.

// Only what the types promise is simplified here (absolute zero, factors one, constants); the program folds the rest.

template <Operand L, Operand R>
  requires(Symbolic<L> || Symbolic<R>)
constexpr auto operator+(L l, R r) {
  if constexpr (detail::are_small_constants<L, R>)
    return constant<L::numerator * R::denominator + R::numerator * L::denominator, L::denominator * R::denominator>;
  else if constexpr (is_zero<L>)
    return detail::as_number(r);
  else if constexpr (is_zero<R>)
    return detail::as_number(l);
  else
    return apply<operation::Add>(l, r);
}

template <Operand E>
  requires Symbolic<E>
constexpr auto operator-(E e) {
  if constexpr (is_constant<E>)
    return constant<-E::numerator, E::denominator>;
  else
    return apply<operation::Negate>(e);
}

template <Operand E>
  requires Symbolic<E>
constexpr auto operator+(E e) {
  return detail::as_number(e);
}

template <Operand L, Operand R>
  requires(Symbolic<L> || Symbolic<R>)
constexpr auto operator-(L l, R r) {
  if constexpr (detail::are_small_constants<L, R>)
    return constant<L::numerator * R::denominator - R::numerator * L::denominator, L::denominator * R::denominator>;
  else if constexpr (is_zero<L>)
    return -r;
  else if constexpr (is_zero<R>)
    return detail::as_number(l);
  else
    return apply<operation::Subtract>(l, r);
}

template <Operand L, Operand R>
  requires(Symbolic<L> || Symbolic<R>)
constexpr auto operator*(L l, R r) {
  if constexpr (detail::are_small_constants<L, R>)
    return constant<L::numerator * R::numerator, L::denominator * R::denominator>;
  else if constexpr (is_zero<L> || is_zero<R>)
    return Zero{};
  else if constexpr (is_one<L>)
    return detail::as_number(r);
  else if constexpr (is_one<R>)
    return detail::as_number(l);
  else if constexpr (std::same_as<L, Constant<-1>> && Symbolic<R>)
    return -r;
  else if constexpr (std::same_as<R, Constant<-1>> && Symbolic<L>)
    return -l;
  else
    return apply<operation::Multiply>(l, r);
}

template <Operand L, Operand R>
  requires(Symbolic<L> || Symbolic<R>)
constexpr auto operator/(L l, R r) {
  if constexpr (is_one<R>)
    return detail::as_number(l);
  else if constexpr (is_zero<R>)
    return apply<operation::Divide>(l, r);
  else if constexpr (is_zero<L>)
    return Zero{};
  else if constexpr (detail::are_small_constants<L, R>)
    return constant<L::numerator * R::denominator, L::denominator * R::numerator>;
  else
    return apply<operation::Divide>(l, r);
}

}  // namespace tapeless
