#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/expression.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/math/exponential.hpp>
#include <tapeless/math/logarithm.hpp>
#include <tapeless/math/math.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#ifdef TAPELESS_HAS_PACKS

/// Packs: a constant number of lanes, by the vector types of g++ and clang, so that straight-line code over numbers
/// needs no other library for them. As on all lanes, operations run on packs by their value functions.
namespace tapeless::scalar::inline TAPELESS_TARGET {

namespace detail {

#if defined(__AVX512F__)
inline constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 16;
#endif

/// `Lanes` numbers side by side, a power of two.
template <class T, std::size_t Lanes>
struct vector_of {
  typedef T type __attribute__((vector_size(Lanes * sizeof(T))));
};
template <class T>
struct vector_of<T, 1> {
  using type = T;
};
template <class T, std::size_t Lanes>
using vector = typename vector_of<T, Lanes>::type;

/// Two halves, each of `Lanes`.
template <class T, std::size_t Lanes>
TAPELESS_ALWAYS_INLINE vector<T, 2 * Lanes> join(const vector<T, Lanes>& low, const vector<T, Lanes>& high) {
  if constexpr (Lanes == 1)
    return vector<T, 2>{low, high};
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
      return __builtin_shufflevector(low, high, I...);
    }(std::make_index_sequence<2 * Lanes>{});
}
/// The lanes that `at` gives for their constant indices, `First` and those behind it; behind the last the last again.
/// By halves: of a list of all lanes g++ makes stores and a load that waits for them.
template <class T, std::size_t Lanes, std::size_t First, std::size_t Last, class At>
TAPELESS_ALWAYS_INLINE vector<T, Lanes> gather(const At& at) {
  if constexpr (Lanes == 1)
    return at(std::integral_constant<std::size_t, (First < Last ? First : Last)>{});
  else
    return join<T, Lanes / 2>(gather<T, Lanes / 2, First, Last>(at), gather<T, Lanes / 2, First + Lanes / 2, Last>(at));
}
/// `Count` numbers of memory; behind the last the last again.
template <class T, std::size_t Lanes, std::size_t Count>
TAPELESS_ALWAYS_INLINE vector<T, Lanes> load(const T* from) {
  constexpr std::size_t half = Lanes / 2;
  if constexpr (Count == Lanes) {
    vector<T, Lanes> all;
    __builtin_memcpy(&all, from, sizeof(all));
    return all;
  } else if constexpr (Count > half) {
    return join<T, half>(load<T, half, half>(from), load<T, half, Count - half>(from + half));
  } else {
    const vector<T, half> low = load<T, half, Count>(from);
    return join<T, half>(low, low);
  }
}
template <class T, std::size_t Lanes, std::size_t Count>
TAPELESS_ALWAYS_INLINE void store(const vector<T, Lanes>& v, T* to) {
  constexpr std::size_t half = Lanes / 2;
  if constexpr (Count == Lanes) {
    __builtin_memcpy(to, &v, sizeof(v));
  } else if constexpr (half == 1) {
    *to = v[0];
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
      store<T, half, (Count < half ? Count : half)>(__builtin_shufflevector(v, v, I...), to);
      if constexpr (Count > half) store<T, half, Count - half>(__builtin_shufflevector(v, v, half + I...), to + half);
    }(std::make_index_sequence<half>{});
  }
}

/// `N` numbers in as few registers as hold them.
template <class T, std::size_t N>
struct registers_of {
  static constexpr std::size_t most = register_bytes / sizeof(T), count = N < most ? N : most;
  static constexpr std::size_t lanes = std::bit_ceil(count < 2 ? std::size_t{2} : count);
  static constexpr bool single = true;
  vector<T, lanes> first;
};
template <class T, std::size_t N>
  requires(N > register_bytes / sizeof(T))
struct registers_of<T, N> {
  static constexpr std::size_t lanes = register_bytes / sizeof(T), count = lanes;
  static constexpr bool single = false;
  using rest_type = registers_of<T, N - count>;
  vector<T, lanes> first;
  rest_type rest;
};
/// A function of vectors, register by register.
template <class R, class F, class... P>
TAPELESS_ALWAYS_INLINE R each(const F& f, const P&... p) {
  if constexpr (R::single)
    return R{f(p.first...)};
  else
    return R{f(p.first...), each<typename R::rest_type>(f, p.rest...)};
}

/// The square roots of a register. With errno, which g++ and clang 16 would set number by number, by x86's instruction.
template <class V>
TAPELESS_ALWAYS_INLINE V square_roots(const V& v) {
#if __has_builtin(__builtin_elementwise_sqrt)
  return __builtin_elementwise_sqrt(v);
#else
  constexpr std::size_t lanes = sizeof(v) / sizeof(v[0]);
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (sizeof(v) == 16 && lanes == 2) return __builtin_ia32_sqrtpd(v);
  if constexpr (sizeof(v) == 16 && lanes == 4) return __builtin_ia32_sqrtps(v);
#ifdef __AVX__
  if constexpr (sizeof(v) == 32 && lanes == 4) return __builtin_ia32_sqrtpd256(v);
  if constexpr (sizeof(v) == 32 && lanes == 8) return __builtin_ia32_sqrtps256(v);
#endif
#ifdef __AVX512F__
  if constexpr (sizeof(v) == 64 && lanes == 8) return __builtin_ia32_sqrtpd512_mask(v, v, 0xff, 4);
  if constexpr (sizeof(v) == 64 && lanes == 16) return __builtin_ia32_sqrtps512_mask(v, v, 0xffff, 4);
#endif
#endif
  V roots = v;
  for (std::size_t i = 0; i < lanes; ++i) roots[i] = std::sqrt(v[i]);
  return roots;
#endif
}

template <class T>
using integer_of = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

}  // namespace detail

/// A condition of each lane: all bits of true lanes are set.
template <class T, std::size_t N>
struct pack_mask {
  using registers = detail::registers_of<detail::integer_of<T>, N>;
  registers value;

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE bool lane() const {
    return lane_of<I>(value) != 0;
  }
  template <std::size_t I, class R>
  TAPELESS_ALWAYS_INLINE static auto lane_of(const R& r) {
    if constexpr (I < R::count)
      return r.first[I];
    else
      return lane_of<I - R::count>(r.rest);
  }

  TAPELESS_ALWAYS_INLINE friend pack_mask operator&&(const pack_mask& a, const pack_mask& b) {
    return {detail::each<registers>(
        [](const auto& left, const auto& right) TAPELESS_INLINE_LAMBDA { return left & right; }, a.value, b.value)};
  }
  TAPELESS_ALWAYS_INLINE friend pack_mask operator||(const pack_mask& a, const pack_mask& b) {
    return {detail::each<registers>(
        [](const auto& left, const auto& right) TAPELESS_INLINE_LAMBDA { return left | right; }, a.value, b.value)};
  }
  TAPELESS_ALWAYS_INLINE friend pack_mask operator!(const pack_mask& a) {
    return {detail::each<registers>([](const auto& lanes) TAPELESS_INLINE_LAMBDA { return ~lanes; }, a.value)};
  }
};

template <class T, std::size_t N>
struct pack {
  using number = T;
  static constexpr std::size_t size = N;
  using registers = detail::registers_of<T, N>;
  registers value;

  pack() = default;
  TAPELESS_ALWAYS_INLINE explicit pack(const registers& numbers) : value(numbers) {}
  /// The same number in each lane.
  template <Numeric U>
  TAPELESS_ALWAYS_INLINE pack(U same) : value(spread<registers>(static_cast<T>(same))) {}
  /// The numbers that `at` gives for the constant indices of the lanes.
  template <class At>
  TAPELESS_ALWAYS_INLINE static pack gathered(const At& at) {
    return pack(gathered_from<registers, 0>(at));
  }
  TAPELESS_ALWAYS_INLINE static pack load(const T* from) { return pack(loaded<registers>(from)); }
  TAPELESS_ALWAYS_INLINE void store(T* to) const { stored(value, to); }
  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE T lane() const {
    return pack_mask<T, N>::template lane_of<I>(value);
  }

#define TAPELESS_PACK_OPERATOR(SYMBOL)                                                                                 \
  TAPELESS_ALWAYS_INLINE friend pack operator SYMBOL(const pack& a, const pack& b) {                                   \
    return pack(detail::each<registers>([](const auto& left, const auto& right)                                        \
                                            TAPELESS_INLINE_LAMBDA { TAPELESS_AS_WRITTEN return left SYMBOL right; },  \
                                        a.value, b.value));                                                            \
  }
  TAPELESS_PACK_OPERATOR(+)
  TAPELESS_PACK_OPERATOR(-)
  TAPELESS_PACK_OPERATOR(*)
  TAPELESS_PACK_OPERATOR(/)
#undef TAPELESS_PACK_OPERATOR
  TAPELESS_ALWAYS_INLINE friend pack operator-(const pack& a) {
    return pack(detail::each<registers>([](const auto& lanes) TAPELESS_INLINE_LAMBDA { return -lanes; }, a.value));
  }
#define TAPELESS_PACK_COMPARISON(SYMBOL)                                                                               \
  TAPELESS_ALWAYS_INLINE friend pack_mask<T, N> operator SYMBOL(const pack & a, const pack & b) {                      \
    return {detail::each<typename pack_mask<T, N>::registers>(                                                         \
        [](const auto& left, const auto& right) TAPELESS_INLINE_LAMBDA {                                               \
          using integers = detail::vector<detail::integer_of<T>, sizeof(left) / sizeof(T)>;                            \
          return static_cast<integers>(left SYMBOL right);                                                             \
        },                                                                                                             \
        a.value, b.value)};                                                                                            \
  }
  TAPELESS_PACK_COMPARISON(<)
  TAPELESS_PACK_COMPARISON(<=)
  TAPELESS_PACK_COMPARISON(>)
  TAPELESS_PACK_COMPARISON(>=)
  TAPELESS_PACK_COMPARISON(==)
  TAPELESS_PACK_COMPARISON(!=)
#undef TAPELESS_PACK_COMPARISON

 private:
  template <class R>
  TAPELESS_ALWAYS_INLINE static R spread(T same) {
    // Minus zero, so that -0 stays -0.
    if constexpr (R::single)
      return R{same - detail::vector<T, R::lanes>{}};
    else
      return R{same - detail::vector<T, R::lanes>{}, spread<typename R::rest_type>(same)};
  }
  template <class R, std::size_t First, class At>
  TAPELESS_ALWAYS_INLINE static R gathered_from(const At& at) {
    constexpr std::size_t last = First + R::count - 1;
    if constexpr (R::single)
      return R{detail::gather<T, R::lanes, First, last>(at)};
    else
      return R{detail::gather<T, R::lanes, First, last>(at),
               gathered_from<typename R::rest_type, First + R::count>(at)};
  }
  template <class R>
  TAPELESS_ALWAYS_INLINE static R loaded(const T* from) {
    if constexpr (R::single)
      return R{detail::load<T, R::lanes, R::count>(from)};
    else
      return R{detail::load<T, R::lanes, R::count>(from), loaded<typename R::rest_type>(from + R::count)};
  }
  template <class R>
  TAPELESS_ALWAYS_INLINE static void stored(const R& r, T* to) {
    detail::store<T, R::lanes, R::count>(r.first, to);
    if constexpr (!R::single) stored(r.rest, to + R::count);
  }
};

template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> select_lanes(const pack_mask<T, N>& condition, const pack<T, N>& a,
                                               const pack<T, N>& b) {
  return pack<T, N>(
      detail::each<typename pack<T, N>::registers>([](const auto& where, const auto& left, const auto& right)
                                                       TAPELESS_INLINE_LAMBDA { return where ? left : right; },
                                                   condition.value, a.value, b.value));
}

namespace detail {

template <class T, std::size_t Lanes>
TAPELESS_ALWAYS_INLINE bool any_bit(const vector<T, Lanes>& v) {
  if constexpr (Lanes == 1)
    return v != 0;
  else if constexpr (Lanes == 2)
    return (v[0] | v[1]) != 0;
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
      return any_bit<T, Lanes / 2>(__builtin_shufflevector(v, v, I...) |
                                   __builtin_shufflevector(v, v, Lanes / 2 + I...));
    }(std::make_index_sequence<Lanes / 2>{});
}
template <class R, class T>
TAPELESS_ALWAYS_INLINE bool any_in(const R& r, T) {
  if constexpr (R::single)
    return any_bit<T, R::lanes>(r.first);
  else
    return any_bit<T, R::lanes>(r.first) || any_in(r.rest, T{});
}

}  // namespace detail

template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE bool any(const pack_mask<T, N>& condition) {
  return detail::any_in(condition.value, detail::integer_of<T>{});
}

// In one expression: clang joins a product and a sum in one instruction there alone.
#define TAPELESS_PACK_PRODUCT_AND_SUM(NAME, EXPRESSION)                                                                \
  template <class T, std::size_t N>                                                                                    \
  TAPELESS_ALWAYS_INLINE pack<T, N> NAME(const pack<T, N>& a, const pack<T, N>& b, const pack<T, N>& c) {              \
    return pack<T, N>(detail::each<typename pack<T, N>::registers>(                                                    \
        [](const auto& left, const auto& right, const auto& last)                                                      \
            TAPELESS_INLINE_LAMBDA { TAPELESS_AS_WRITTEN return EXPRESSION; },                                         \
        a.value, b.value, c.value));                                                                                   \
  }
TAPELESS_PACK_PRODUCT_AND_SUM(multiply_add, left* right + last)
TAPELESS_PACK_PRODUCT_AND_SUM(multiply_subtract, left* right - last)
TAPELESS_PACK_PRODUCT_AND_SUM(subtract_product, last - left * right)
#undef TAPELESS_PACK_PRODUCT_AND_SUM

template <class F, class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> map_bits(const pack<T, N>& x, const F& f) {
  return pack<T, N>(detail::each<typename pack<T, N>::registers>(
      [&](const auto& lanes) TAPELESS_INLINE_LAMBDA {
        using bits = std::make_unsigned_t<detail::integer_of<T>>;
        using numbers = std::remove_cvref_t<decltype(lanes)>;
        return std::bit_cast<numbers>(f(std::bit_cast<detail::vector<bits, sizeof(lanes) / sizeof(T)>>(lanes)));
      },
      x.value));
}

template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> abs(const pack<T, N>& x) {
  return map_bits(x, [](const auto& bits) TAPELESS_INLINE_LAMBDA {
    return bits & (std::make_unsigned_t<detail::integer_of<T>>(-1) / 2);
  });
}
/// `x` within limits; NaN stays NaN.
template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> clamp_lanes(const pack<T, N>& x, const pack<T, N>& low, const pack<T, N>& high) {
  const pack<T, N> above = select_lanes(x < low, low, x);
  return select_lanes(above > high, high, above);
}
/// Of numbers below 2^51 (float: 2^22): in those so large that 1 is the last digit.
template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> nearest_integer(const pack<T, N>& x) {
  const pack<T, N> large = T(3) / 2 / std::numeric_limits<T>::epsilon();
  return (x + large) - large;
}
/// x 2^k for integers k from -1100 to 1100, overflow and subnormal numbers included.
template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> scale(const pack<T, N>& x, const pack<T, N>& k) {
  // In a number this large n + bias are the last bits of the mantissa, which a shift makes the exponent.
  const auto power = [](const pack<T, N>& n) TAPELESS_INLINE_LAMBDA {
    constexpr T large = T(3) / 2 / std::numeric_limits<T>::epsilon() + T(std::numeric_limits<T>::max_exponent - 1);
    return map_bits(n + pack<T, N>(large), [](const auto& bits) TAPELESS_INLINE_LAMBDA {
      return bits << (std::numeric_limits<T>::digits - 1);
    });
  };
  const pack<T, N> half = nearest_integer(k * pack<T, N>(T(0.5)));
  return x * power(half) * power(k - half);
}

/// A function of numbers, lane by lane.
template <class F, class T, std::size_t N>
[[gnu::noinline]] pack<T, N> number_by_number(F f, const pack<T, N>& x) {
  T each[N];
  x.store(each);
  for (T& number : each) number = f(number);
  return pack<T, N>::load(each);
}

template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> exp(const pack<T, N>& x) {
  return math::exponential(x);
}
template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> log(const pack<T, N>& x) {
  return math::natural_logarithm(x);
}
template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> log1p(const pack<T, N>& x) {
  return math::logarithm_of_one_plus(x);
}
template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> sqrt(const pack<T, N>& x) {
  return pack<T, N>(detail::each<typename pack<T, N>::registers>(
      [](const auto& lanes) TAPELESS_INLINE_LAMBDA { return detail::square_roots(lanes); }, x.value));
}
/// By e^(-2 |x|) - 1, within 2 ulp.
template <class T, std::size_t N>
TAPELESS_ALWAYS_INLINE pack<T, N> tanh(const pack<T, N>& x) {
  using lanes = pack<T, N>;
  // Where tanh(x) is 1 in all digits.
  const auto [excess, exponent] =
      math::scaled_exponential(clamp_lanes(abs(x) * lanes(T(-2)), lanes(T(-50)), lanes(T(0))));
  const lanes power = scale(lanes(T(1)), exponent);
  const lanes less_one = multiply_add(power, excess, power - lanes(T(1)));
  const lanes size = -less_one / (less_one + lanes(T(2)));
  return select_lanes(x > lanes(T(0)), size, select_lanes(x < lanes(T(0)), -size, x));
}

}  // namespace tapeless::scalar::inline TAPELESS_TARGET

#endif
