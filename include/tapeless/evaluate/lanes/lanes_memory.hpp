#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/lanes/lanes.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

/// Lanes from memory and to memory, all of them or the first ones, and all lanes as one number.
namespace tapeless::simd::inline TAPELESS_TARGET {

namespace detail {

/// Masked loads and stores, where the instruction set has them.
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
template <class T>
inline constexpr bool has_masks = sizeof(T) * width<T> == 64;
template <class T>
using mask_bits = std::conditional_t<width<T> == 8, __mmask8, __mmask16>;
template <class T>
TAPELESS_ALWAYS_INLINE mask_bits<T> first_bits(std::size_t count) {
  return static_cast<mask_bits<T>>((1u << count) - 1);
}
#elif defined(TAPELESS_HAS_XSIMD) && defined(__AVX2__)
template <class T>
inline constexpr bool has_masks = sizeof(T) * width<T> == 32;
#else
template <class T>
inline constexpr bool has_masks = false;
#endif

}  // namespace detail

/// True in the first `count` lanes.
template <class T>
TAPELESS_ALWAYS_INLINE mask_t<T> first(std::size_t count) {
  if constexpr (width<T> == 1) {
    return true;
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
  } else if constexpr (detail::has_masks<T>) {
    return {xsimd::batch_bool<T, architecture>(detail::first_bits<T>(count))};
#endif
  } else {
    struct alignas(64) numbers {
      T at[width<T>];
    };
    static constexpr numbers index = [] {
      numbers result{};
      for (std::size_t i = 0; i < width<T>; ++i) result.at[i] = static_cast<T>(i);
      return result;
    }();
    return lanes_t<T>::load(index.at) < lanes_t<T>(static_cast<T>(count));
  }
}

namespace detail {

template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> load_one_by_one(const T* from, std::ptrdiff_t stride, std::size_t count) {
  if constexpr (width<T> == 1) {
    return *from;
  } else {
    alignas(64) T row[width<T>];
    for (std::size_t i = 0; i < width<T>; ++i)
      row[i] = i < count ? from[static_cast<std::ptrdiff_t>(i) * stride] : T(1);
    return lanes_t<T>::load(row);
  }
}
inline constexpr std::ptrdiff_t farthest_gathered = std::ptrdiff_t(1) << 26;
/// The same by the instruction for it, where there is one and its places, of 32 bits, reach so far.
template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> gather(const T* from, std::ptrdiff_t stride, std::size_t count) {
#if defined(TAPELESS_HAS_XSIMD) && (defined(__AVX512F__) || defined(__AVX2__))
  if constexpr (has_masks<T>)
    if (stride > -farthest_gathered && stride < farthest_gathered) {
      const int s = static_cast<int>(stride);
#if defined(__AVX512F__)
      if constexpr (std::is_same_v<T, double>) {
        const __m256i places = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(s));
        return batch<T>(_mm512_mask_i32gather_pd(_mm512_set1_pd(1.0), first_bits<T>(count), places, from, 8));
      } else {
        const __m512i numbers = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        const __m512i places = _mm512_mullo_epi32(numbers, _mm512_set1_epi32(s));
        return batch<T>(_mm512_mask_i32gather_ps(_mm512_set1_ps(1.0f), first_bits<T>(count), places, from, 4));
      }
#else
      const auto all = first<T>(count).value;
      if constexpr (std::is_same_v<T, double>) {
        const __m128i places = _mm_mullo_epi32(_mm_setr_epi32(0, 1, 2, 3), _mm_set1_epi32(s));
        return batch<T>(_mm256_mask_i32gather_pd(_mm256_set1_pd(1.0), from, places, all, 8));
      } else {
        const __m256i places = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(s));
        return batch<T>(_mm256_mask_i32gather_ps(_mm256_set1_ps(1.0f), from, places, all, 4));
      }
#endif
    }
#endif
  return load_one_by_one<T>(from, stride, count);
}
template <class T>
TAPELESS_ALWAYS_INLINE void store_one_by_one(const lanes_t<T>& x, T* to, std::ptrdiff_t stride, std::size_t count) {
  if constexpr (width<T> == 1) {
    *to = x;
  } else {
    alignas(64) T row[width<T>];
    x.store(row);
    for (std::size_t i = 0; i < count; ++i) to[static_cast<std::ptrdiff_t>(i) * stride] = row[i];
  }
}

}  // namespace detail

/// The first `count` lanes from memory, the others 1: a number that every function takes without harm.
template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> load_first(const T* from, std::size_t count) {
  if constexpr (!detail::has_masks<T>) return detail::load_one_by_one<T>(from, 1, count);
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
  else if constexpr (std::is_same_v<T, double>)
    return batch<T>(_mm512_mask_loadu_pd(_mm512_set1_pd(1.0), detail::first_bits<T>(count), from));
  else
    return batch<T>(_mm512_mask_loadu_ps(_mm512_set1_ps(1.0f), detail::first_bits<T>(count), from));
#elif defined(TAPELESS_HAS_XSIMD) && defined(__AVX2__)
  else if constexpr (const auto all = first<T>(count).value; std::is_same_v<T, double>)
    return batch<T>(_mm256_blendv_pd(_mm256_set1_pd(1.0), _mm256_maskload_pd(from, _mm256_castpd_si256(all)), all));
  else
    return batch<T>(_mm256_blendv_ps(_mm256_set1_ps(1.0f), _mm256_maskload_ps(from, _mm256_castps_si256(all)), all));
#endif
}

/// The same of numbers that are `stride` apart: often 1 or 0 all the same, known only at the call. All lanes are loaded
/// one by one: the instruction that gathers them takes longer on AMD's processors, a twentieth of a mixture's gradient.
template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> load_strided(const T* from, std::ptrdiff_t stride, std::size_t count) {
  if (stride == 1) return load_first<T>(from, count);
  if (stride == 0) return lanes_t<T>(*from);
  if constexpr (width<T> > 1)
    if (count == width<T>)
      return [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
        return lanes_t<T>::of(from[static_cast<std::ptrdiff_t>(I) * stride]...);
      }(std::make_index_sequence<width<T>>{});
  return detail::gather<T>(from, stride, count);
}

/// Writes the first `count` lanes.
template <class T>
TAPELESS_ALWAYS_INLINE void store_first(const lanes_t<T>& x, T* to, std::size_t count) {
  if constexpr (!detail::has_masks<T>) detail::store_one_by_one<T>(x, to, 1, count);
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
  else if constexpr (std::is_same_v<T, double>)
    _mm512_mask_storeu_pd(to, detail::first_bits<T>(count), x.value);
  else
    _mm512_mask_storeu_ps(to, detail::first_bits<T>(count), x.value);
#elif defined(TAPELESS_HAS_XSIMD) && defined(__AVX2__)
  else if constexpr (std::is_same_v<T, double>)
    _mm256_maskstore_pd(to, _mm256_castpd_si256(first<T>(count).value), x.value);
  else
    _mm256_maskstore_ps(to, _mm256_castps_si256(first<T>(count).value), x.value);
#endif
}
template <class T>
TAPELESS_ALWAYS_INLINE void store_strided(const lanes_t<T>& x, T* to, std::ptrdiff_t stride, std::size_t count) {
  if (stride == 1)
    store_first<T>(x, to, count);
  else
    detail::store_one_by_one<T>(x, to, stride, count);
}

template <class T>
TAPELESS_ALWAYS_INLINE lanes_t<T> load(const T* from) {
  if constexpr (width<T> == 1)
    return *from;
  else
    return lanes_t<T>::load(from);
}
template <class T>
TAPELESS_ALWAYS_INLINE void store(const lanes_t<T>& x, T* to) {
  if constexpr (width<T> == 1)
    *to = x;
  else
    x.store(to);
}

/// All lanes, from the first to the last half and half, as one number.
template <class T, class Combine>
TAPELESS_ALWAYS_INLINE T combine_lanes(const lanes_t<T>& x, [[maybe_unused]] Combine combine) {
  if constexpr (width<T> == 1)
    return x;
  else {
    alignas(64) T row[width<T>];
    x.store(row);
    for (std::size_t half = width<T> / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) row[i] = combine(row[i], row[i + half]);
    return row[0];
  }
}
template <class T>
TAPELESS_ALWAYS_INLINE T add_lanes(const lanes_t<T>& x) {
#ifdef TAPELESS_HAS_XSIMD
  if constexpr (width<T> > 1) {
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, double> && width<T> == 8) return _mm512_reduce_add_pd(x.value);
    if constexpr (std::is_same_v<T, float> && width<T> == 16) return _mm512_reduce_add_ps(x.value);
#endif
    // The name since xsimd 9, and the one before.
    if constexpr (requires { reduce_add(x.value); })
      return reduce_add(x.copy());
    else
      return hadd(x.copy());
  }
#endif
  return combine_lanes<T>(x, [](T left, T right) { return left + right; });
}

/// What add_lanes gives of each row, in the same order of sums: half of the lanes of two rows are added to the others
/// at a time.
template <class T, class... Rows>
TAPELESS_ALWAYS_INLINE lanes_t<T> add_rows(const Rows&... rows) {
  static_assert(sizeof...(Rows) == width<T>);
#if defined(TAPELESS_HAS_XSIMD) && defined(__AVX512F__)
  if constexpr (std::is_same_v<T, double> && width<T> == 8) {
    const __m512d row[] = {rows.value...};
    const auto halves = [](__m512d a, __m512d b) TAPELESS_INLINE_LAMBDA {
      return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x44), _mm512_shuffle_f64x2(a, b, 0xee));
    };
    const auto quarters = [](__m512d a, __m512d b) TAPELESS_INLINE_LAMBDA {
      return _mm512_add_pd(_mm512_shuffle_f64x2(a, b, 0x88), _mm512_shuffle_f64x2(a, b, 0xdd));
    };
    const __m512d even = quarters(halves(row[0], row[2]), halves(row[4], row[6]));
    const __m512d odd = quarters(halves(row[1], row[3]), halves(row[5], row[7]));
    return batch<T>(_mm512_add_pd(_mm512_unpacklo_pd(even, odd), _mm512_unpackhi_pd(even, odd)));
  }
#endif
  const T each[] = {add_lanes<T>(rows)...};
  return load<T>(each);
}

}  // namespace tapeless::simd::inline TAPELESS_TARGET
