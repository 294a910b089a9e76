#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/simd.hpp>
#include <tapeless/evaluate/loops/evaluations.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/program/graph/loops_in.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#ifdef TAPELESS_HAS_XSIMD
namespace tapeless::scalar {

template <class T>
struct element_in_memory<simd::lanes<T>> {
  using number = T;
  static constexpr std::ptrdiff_t width = simd::width<T>;
  static const T* numbers(const simd::lanes<T>* elements) { return reinterpret_cast<const T*>(elements); }
  TAPELESS_ALWAYS_INLINE static simd::lanes<T> read(const T* at) { return simd::lanes<T>::load(at); }
  static T in_common(const simd::lanes<T>& each) {
    alignas(64) T row[simd::width<T>];
    each.store(row);
    for (const T& one : row)
      if (one != row[0]) return std::numeric_limits<T>::quiet_NaN();
    return row[0];
  }
};

}  // namespace tapeless::scalar
#endif

/// One program for many elements: its straight-line code in SIMD lanes, an element a lane.
namespace tapeless::scalar::inline TAPELESS_TARGET {

#ifdef TAPELESS_HAS_XSIMD
template <class T>
struct computes_in<simd::lanes<T>> {
  using number = T;
  using condition = simd::mask<T>;
  static bool all(const condition& c) { return !simd::any(!c); }
};
#endif

/// Elements that are computed together. The last ones repeat one where there are fewer, so that each element's numbers
/// come from the same code wherever it stands.
template <class T>
inline constexpr std::size_t element_lanes = simd::width<T> > 8 ? simd::width<T> : 8;

template <class T, std::size_t Count>
struct element_block {
  alignas(64) T numbers[Count > 0 ? Count : 1][element_lanes<T>]{};
};

/// The elements of two blocks, for programs that read no sequences: `P` computes the numbers of the second from those
/// of the first. Outputs that are zero by structure are not written.
template <class P, class T, std::size_t Inputs, std::size_t Outputs>
struct elements_of_blocks {
  const element_block<T, Inputs>& from;
  element_block<T, Outputs>& to;

  template <class V>
  struct inputs_from {
    const element_block<T, Inputs>& block;
    std::size_t lane;

    template <int I>
    TAPELESS_ALWAYS_INLINE V variable() const {
      return element_in_memory<V>::read(block.numbers[static_cast<std::size_t>(I)] + lane);
    }
  };
  template <class V>
  TAPELESS_ALWAYS_INLINE inputs_from<V> inputs(std::size_t lane) const {
    return {from, lane};
  }
  static constexpr bool may_differ = P::value.has_sequences;
  bool differ(std::size_t lane) const {
    for (std::size_t v = 0; v < Inputs; ++v)
      if (program::step_counts<P>::of_variables[v])
        for (std::size_t other = lane + 1; other < lane + simd::width<T>; ++other)
          if (from.numbers[v][other] != from.numbers[v][lane]) return true;
    return false;
  }
  template <std::size_t O, class V>
  TAPELESS_ALWAYS_INLINE void store(const V& value, std::size_t lane, std::size_t) const {
    if constexpr (P::value.is_absolute_zero(P::value.output(O)))
      return;
    else if constexpr (std::is_same_v<V, T>)
      to.numbers[O][lane] = value;
    else
      simd::store<T>(value, to.numbers[O] + lane);
  }
};

/// Hands `all` the outputs of an evaluation of `P` in numbers `V`, for `count` elements from `first` on.
template <class P, class V>
TAPELESS_ALWAYS_INLINE void store_outputs(const auto all, const auto& done, std::size_t first, std::size_t count) {
  tapeless::detail::for_each_index<P::value.outputs.size()>(
      [&]<std::size_t O>(std::integral_constant<std::size_t, O>) TAPELESS_INLINE_LAMBDA {
        if constexpr (P::value[P::value.output(O)].sequence)
          all.template store<O>(done.template output<O>(), first, count);
        else
          all.template store<O>(detail::as_number<V>(done.template output<O>()), first, count);
      });
}
/// Runs the finished program `P::value` for one element, or for `count` from `first` on in the lanes of `V`.
template <class P, class V>
TAPELESS_ALWAYS_INLINE void run_at_once(const auto all, std::size_t first, std::size_t count) {
  const evaluation<P, V> done(all.template inputs<V>(first));
  store_outputs<P, V>(all, done, first, count);
}

/// Runs the finished program `P::value` for elements `begin` to `end` of `all`, one by one where loops of neighbours
/// may have different lengths. `all.inputs<V>(k)` are the inputs of element `k`, or of those from `k` on in the lanes
/// of `V`; `all.differ(k)` says whether the loops of these differ in length, and `all.may_differ` whether it is to be
/// asked; `all.store<O>(output, k, count)` takes what was computed of `count` elements.
template <class P, class T, class Elements>
void run_elements(const Elements all, std::size_t begin, std::size_t end) {
  using V = simd::lanes_t<T>;
  constexpr std::size_t lanes = simd::width<T>, beside = evaluations_side_by_side<P, V>;
  for (std::size_t k = begin; k < end; k += beside * lanes) {
    const std::size_t last = std::min(k + beside * lanes, end);
    const auto fill_lanes = [&](std::size_t first) {
      if constexpr (Elements::may_differ && lanes > 1)
        if (all.differ(first)) {
          for (std::size_t one = first; one < std::min(first + lanes, last); ++one) run_at_once<P, T>(all, one, 1);
          return false;
        }
      return true;
    };
    if constexpr (beside > 1) {
      evaluations<P, V, beside> done;
      std::array<std::size_t, beside> firsts;
      std::size_t count = 0;
      for (std::size_t first = k; first < last; first += lanes)
        if (fill_lanes(first)) done.add(all.template inputs<V>(first)), firsts[count++] = first;
      done.run();
      for (std::size_t i = 0; i < count; ++i)
        store_outputs<P, V>(all, done[i], firsts[i], std::min(lanes, last - firsts[i]));
    } else if (fill_lanes(k)) {
      run_at_once<P, V>(all, k, last - k);
    }
  }
}

}  // namespace tapeless::scalar::inline TAPELESS_TARGET
