#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/operation/definition/functions.hpp>
#include <tapeless/operation/scalar/comparison.hpp>

#include <limits>
#include <type_traits>

namespace tapeless {

namespace operation {

struct SmallestNormal {
  static constexpr std::string_view name = "smallest_normal";
  template <class T>
  static constexpr T constant() {
    return std::numeric_limits<T>::min();
  }
};

/// condition ? a : b. Its derivative is that of the chosen branch alone; the passes treat it by itself, since no
/// product with a mask keeps the NaN of the other branch out.
struct Where {
  static constexpr std::string_view name = "where";
  static constexpr auto role = opcode::where;
  static constexpr operation_counts cost{.selections = 1};
  static constexpr auto value = [](const auto& condition, const auto& a, const auto& b)
                                    TAPELESS_INLINE_LAMBDA { return math::select(condition, a, b); };
  static constexpr bool passes(int operand) { return operand > 0; }
};

/// -1, 0 or 1; the operand itself where it is zero or NaN. Derivative zero everywhere.
struct Sign {
  static constexpr std::string_view name = "sign";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA {
    using T = std::remove_cvref_t<decltype(x)>;
    return math::select(x > T(0), T(1), math::select(x < T(0), T(-1), x));
  };
  static constexpr bool passes(int) { return false; }
  static constexpr rules partials{[](auto, auto) { return 0_c; }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// |x|, with derivative 0 at 0.
struct Abs {
  TAPELESS_COMPUTED_BY(abs)
  static constexpr tapeless::laws laws{.even = true, .idempotent = true};
  static constexpr int latency = 1;
  static constexpr rules partials{[](auto x, auto) { return where(x == 0_c, 0_c, sign(x)); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

/// max(x, 0), with derivative 0 at 0.
struct Relu {
  static constexpr std::string_view name = "relu";
  static constexpr operation_counts cost{.selections = 1};
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA {
    using T = std::remove_cvref_t<decltype(x)>;
    return math::select(x <= T(0), T(0), x);
  };
  static constexpr rules partials{[](auto x, auto) { return where(x > 0_c, 1_c, 0_c); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}};
};

#define TAPELESS_STEP(NAME, TEXT)                                                                                      \
  struct NAME {                                                                                                        \
    static constexpr std::string_view name = #TEXT;                                                                    \
    static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::TEXT(x); };                  \
    static constexpr bool passes(int) { return false; }                                                                \
    static constexpr rules partials{[](auto, auto) { return 0_c; }};                                                   \
    static constexpr double samples[][1] = {{1.75}, {-0.25}, {2.25}};                                                  \
  };
TAPELESS_STEP(Floor, floor)
TAPELESS_STEP(Ceil, ceil)
TAPELESS_STEP(Round, round)
#undef TAPELESS_STEP

}  // namespace operation

/// The value and the derivative of `a` if `condition` holds, otherwise those of `b`. A NaN or infinity in the branch
/// not taken enters neither the value nor a derivative. `condition` is a comparison, a bool, or a variable that counts
/// as true if it is not zero. For plain numbers, the result is the chosen number.
template <Operand C, Operand A, Operand B>
constexpr auto where(C condition, A a, B b) {
  if constexpr (is_zero<A> && is_zero<B>)
    return a;
  else if constexpr (is_zero<C>)
    return b;
  else if constexpr (is_constant<C>)
    return a;
  else if constexpr (detail::Plain<C, A, B>) {
    using T = std::conditional_t<std::is_same_v<A, bool> && std::is_same_v<B, bool>, bool,
                                 typename detail::common_real<A, B>::type>;
    return static_cast<bool>(condition) ? detail::immediate<T>(a) : detail::immediate<T>(b);
  } else
    return apply<operation::Where>(condition, a, b);
}

namespace detail::inline TAPELESS_TARGET {

/// where(condition, a(), b()), for plain numbers without the number not chosen: that may be a quotient by 0, which is
/// no constant expression.
template <class T, class C, class A, class B>
constexpr T where_of(const C& condition, const A& a, const B& b) {
  if constexpr (Symbolic<T>) {
    const auto first = a();
    return where(condition, first, b());
  } else
    return condition ? immediate<T>(a()) : immediate<T>(b());
}

}  // namespace detail::inline TAPELESS_TARGET

/// |x|, with C's name. Without it, a function that calls fabs would find the one for doubles.
TAPELESS_FUNCTION_OF(1, fabs, operation::Abs)

}  // namespace tapeless
