#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/simd.hpp>
#include <tapeless/evaluate/registers/step.hpp>
#include <tapeless/math/math.hpp>

#include <cstddef>
#include <type_traits>

/// What a step of a kernel does, whichever kernel it is part of: all kernels share these functions.
namespace tapeless::loops::inline TAPELESS_TARGET::detail {

using tapeless::detail::operation_step;
using tapeless::detail::slot;

/// Which lanes of an iteration stand for elements, and how those lie in memory: all of them or the first ones, one
/// after the other, or with strides. Or all lanes are the same number.
enum class part { all, first, strided, same };

template <class V>
inline constexpr bool is_mask = std::is_same_v<V, bool>;
#ifdef TAPELESS_HAS_XSIMD
template <class T>
inline constexpr bool is_mask<simd::mask<T>> = true;
#endif

/// What an iteration holds of a step: lanes where there are loops, one number where there are none.
template <class T, bool Loops>
struct iteration_types {
  using number = std::conditional_t<Loops, simd::lanes_t<T>, T>;
  using condition = std::conditional_t<Loops, simd::mask_t<T>, bool>;
};
enum class lane_kind : unsigned char { number, condition, pair };
/// The value of step number `I`.
template <class Types, lane_kind Kind, std::size_t I>
struct step_slot {
  typename Types::number value;
};
template <class Types, std::size_t I>
struct step_slot<Types, lane_kind::condition, I> {
  typename Types::condition value;
};
template <class Types, std::size_t I>
struct step_slot<Types, lane_kind::pair, I> {
  math::number_pair<typename Types::number> value;
};

/// The numbers that a value is, or that a condition would be.
template <class X, class T>
using numbers_of = std::conditional_t<!is_mask<X>, X, std::conditional_t<std::is_same_v<X, bool>, T, simd::lanes_t<T>>>;

/// `number` in all lanes; as a condition, whether it is not 0.
template <class X, class T>
TAPELESS_ALWAYS_INLINE X in_all_lanes(T number) {
  using V = numbers_of<X, T>;
  if constexpr (is_mask<X>)
    return X(V(number) != V(T(0)));
  else
    return X(number);
}

/// Lanes from memory, where neighbours are `*stride` apart; as conditions, whether they are not 0.
template <part Part, class X, class T>
TAPELESS_ALWAYS_INLINE X read(const T* from, [[maybe_unused]] const std::ptrdiff_t* stride,
                              [[maybe_unused]] std::size_t count) {
  using V = numbers_of<X, T>;
  if constexpr (is_mask<X>)
    return X(read<Part, V>(from, stride, count) != V(T(0)));
  else if constexpr (Part == part::same || std::is_same_v<V, T>)
    return V(*from);
  else if constexpr (Part == part::all)
    return simd::load<T>(from);
  else if constexpr (Part == part::first)
    return simd::load_first<T>(from, count);
  else
    return simd::load_strided<T>(from, *stride, count);
}
/// Writes lanes, conditions as 1 and 0.
template <part Part, class X, class T>
TAPELESS_ALWAYS_INLINE void write(const X& x, T* to, [[maybe_unused]] const std::ptrdiff_t* stride,
                                  [[maybe_unused]] std::size_t count) {
  using V = numbers_of<X, T>;
  if constexpr (is_mask<X>)
    write<Part>(math::select(x, V(T(1)), V(T(0))), to, stride, count);
  else if constexpr (std::is_same_v<V, T>)
    *to = x;
  else if constexpr (Part == part::all)
    simd::store<T>(x, to);
  else if constexpr (Part == part::first)
    simd::store_first<T>(x, to, count);
  else
    simd::store_strided<T>(x, to, *stride, count);
}

/// How a step computes: its operation, or a b - c, c - a b and a b + c with one rounding; or with the step that uses
/// it.
namespace form {
inline constexpr int product_minus = 4, minus_product = 5, product_plus = 6, fused = 7;
}

/// The operation `Info` of `Form` operands, or a fused form.
template <const program::operation_info* Info, int Form, class T>
struct lane_step {
  // Operations get copies: if the compiler leaves one out of line, and it got the address of a value of a loop, all
  // values of the loop would be kept in memory.
  template <class A, class B, class C>
  TAPELESS_ALWAYS_INLINE static auto run(const A& first, [[maybe_unused]] const B& second,
                                         [[maybe_unused]] const C& third) {
    if constexpr (Form == form::product_minus)
      return simd::multiply_subtract(first, second, third);
    else if constexpr (Form == form::minus_product)
      return simd::subtract_product(first, second, third);
    else if constexpr (Form == form::product_plus)
      return simd::multiply_add(first, second, third);
    else if constexpr (Form == 0)
      return T(operation_step<Info, 0, T>::run(0, 0, 0));
    else if constexpr (const A a = first; Form == 1)
      return operation_step<Info, 1, T>::run(a, a, a);
    else if constexpr (const B b = second; Form == 2)
      return operation_step<Info, 2, T>::run(a, b, b);
    else
      return operation_step<Info, 3, T>::run(a, b, C(third));
  }
};

/// A reduction by the operation `Info` of its operand, or with the form `product_plus`, of the product of two.
template <const program::operation_info* Info, int Form, class T>
struct reduction_step {
  using operation = program::operation_of<Info>;

  template <class X>
  TAPELESS_ALWAYS_INLINE static void begin(X& sum) {
    sum = in_all_lanes<X>(T(operation::template neutral<T>()));
  }
  template <class X>
  TAPELESS_ALWAYS_INLINE static void join(X& sum, const X& other) {
    sum = operation::combine(sum, other);
  }
  template <class X, class A, class B>
  TAPELESS_ALWAYS_INLINE static X after(const X& before, const A& a, [[maybe_unused]] const B& b) {
    if constexpr (Form == form::product_plus)
      return simd::multiply_add(a, b, before);
    else
      return operation::combine(before, a);
  }
  /// Takes the operand in, in all lanes or in the first ones.
  template <bool All, class X, class A, class B>
  TAPELESS_ALWAYS_INLINE static void take(X& sum, const A& a, const B& b, [[maybe_unused]] std::size_t count) {
    const X all = after(sum, a, b);
    if constexpr (All)
      sum = all;
    else if constexpr (is_mask<X>)
      sum = sum || (all && simd::first<T>(count));
    else
      sum = math::select(simd::first<T>(count), all, sum);
  }
  /// The same of a reduction that lies in memory, row by row.
  template <class X, part Read, part Write, class A, class B>
  TAPELESS_ALWAYS_INLINE static void take_in_memory(T* at, const A& a, const B& b, const std::ptrdiff_t* stride,
                                                    std::size_t count) {
    write<Write>(after(read<Read, X>(at, stride, count), a, b), at, stride, count);
  }
  /// Writes the result of each lane, or of all lanes `InOne`, together with what is there if the reduction accumulates.
  template <bool InOne, bool Accumulates, part Read, part Write, class X>
  TAPELESS_ALWAYS_INLINE static void end(X& sum, T* to, [[maybe_unused]] const std::ptrdiff_t* stride,
                                         [[maybe_unused]] std::size_t count) {
    if constexpr (InOne) {
      const T all = of_lanes(sum);
      *to = Accumulates ? combine(*to, all) : all;
    } else {
      if constexpr (Accumulates) sum = operation::combine(read<Read, X>(to, stride, count), sum);
      write<Write>(sum, to, stride, count);
    }
  }
  template <class X>
  TAPELESS_ALWAYS_INLINE static T of_lanes(const X& sum) {
    if constexpr (std::is_same_v<numbers_of<X, T>, T>)
      return static_cast<T>(sum);
    else if constexpr (is_mask<X>)
      return simd::any(sum) ? T(1) : T(0);
    else if constexpr (std::is_same_v<operation, tapeless::operation::Sum>)
      return simd::add_lanes<T>(sum);
    else
      return simd::combine_lanes<T>(sum, [](T a, T b) TAPELESS_INLINE_LAMBDA { return combine(a, b); });
  }
  /// The results of as many sums as there are lanes.
  template <class... X>
  TAPELESS_ALWAYS_INLINE static auto of_rows(const X&... sums) {
    if constexpr (std::is_same_v<operation, tapeless::operation::Sum>) {
      return simd::add_rows<T>(sums...);
    } else {
      const T each[] = {of_lanes(sums)...};
      return simd::load<T>(each);
    }
  }

 private:
  TAPELESS_ALWAYS_INLINE static T combine(T a, T b) { return static_cast<T>(operation::combine(a, b)); }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET::detail
