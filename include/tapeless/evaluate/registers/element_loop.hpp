#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/simd.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/program/graph/loops_in.hpp>

#include <algorithm>
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

template <class T, class V, std::size_t Count>
struct element_inputs {
  const element_block<T, Count>& block;
  std::size_t lane;

  template <int I>
  TAPELESS_ALWAYS_INLINE V variable() const {
    const T* const at = block.numbers[static_cast<std::size_t>(I)] + lane;
    if constexpr (std::is_same_v<V, T>)
      return *at;
    else
      return simd::load<T>(at);
  }
};

/// Runs the finished program `P::value` for the elements from `lane` on, as many as `V` holds.
template <class P, class V, class T, std::size_t Inputs, std::size_t Outputs>
TAPELESS_ALWAYS_INLINE void run_lanes(const element_block<T, Inputs>& from, element_block<T, Outputs>& to,
                                      std::size_t lane) {
  const evaluation<P, V> done(element_inputs<T, V, Inputs>{from, lane});
  tapeless::detail::for_each_index<Outputs>(
      [&]<std::size_t O>(std::integral_constant<std::size_t, O>) TAPELESS_INLINE_LAMBDA {
        const auto store = [&](const V& value) TAPELESS_INLINE_LAMBDA {
          if constexpr (std::is_same_v<V, T>)
            to.numbers[O][lane] = value;
          else
            simd::store<T>(value, to.numbers[O] + lane);
        };
        if constexpr (P::value.is_absolute_zero(P::value.output(O)))
          return;
        else if constexpr (P::value.nodes[static_cast<std::size_t>(P::value.output(O))].condition)
          store(math::select(done.template output<O>(), V(1), V(0)));
        else
          store(done.template output<O>());
      });
}

/// Whether the elements beside `lane` may have loops of other lengths than that one.
template <class P, class T, std::size_t Inputs>
bool steps_differ(const element_block<T, Inputs>& from, std::size_t lane) {
  for (std::size_t v = 0; v < Inputs; ++v)
    if (program::step_counts<P>::of_variables[v])
      for (std::size_t other = lane + 1; other < lane + simd::width<T>; ++other)
        if (from.numbers[v][other] != from.numbers[v][lane]) return true;
  return false;
}

/// Runs the finished program `P::value` for the elements of a block, one by one where loops may have different lengths.
/// Outputs that are zero by structure are not written.
template <class P, class T, std::size_t Inputs, std::size_t Outputs>
void run_elements(const element_block<T, Inputs>& from, element_block<T, Outputs>& to) {
  for (std::size_t lane = 0; lane < element_lanes<T>; lane += simd::width<T>) {
    if constexpr (P::value.has_sequences)
      if constexpr (std::ranges::count(program::step_counts<P>::of_variables, true) > 0)
        if (steps_differ<P>(from, lane)) {
          for (std::size_t one = lane; one < lane + simd::width<T>; ++one) run_lanes<P, T>(from, to, one);
          continue;
        }
    run_lanes<P, simd::lanes_t<T>>(from, to, lane);
  }
}

}  // namespace tapeless::scalar::inline TAPELESS_TARGET
