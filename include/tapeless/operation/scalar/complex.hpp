#pragma once

#include <tapeless/operation/scalar/c_functions.hpp>
#include <tapeless/operation/scalar/trigonometric.hpp>

#include <cstdint>
#include <type_traits>

namespace tapeless {

/// A complex number made of two values of a traced function, or of two plain numbers. It has the arithmetic and the
/// functions of `std::complex`; real operands may be mixed in. Like other structs, it can be an argument, a result and
/// a gradient.
///
/// The gradient of a real result with respect to a complex argument x + i y is df/dx - i df/dy, as in JAX; steepest
/// ascent is along its conjugate. A complex result counts as two real ones, `.re` and `.im`.
template <class T>
struct complex {
  T re, im;

  /// To an element of a tensor, which is a value and not a place in it.
  template <class Z>
    requires is_traced<T>
  constexpr const complex& operator=(const Z&) const {
    return static_cast<void>(T(re) = re), *this;
  }
#define TAPELESS_ASSIGNS(OP)                                                                                           \
  template <class Z>                                                                                                   \
  constexpr complex& operator OP##=(const Z & z) {                                                                     \
    return *this = *this OP z;                                                                                         \
  }                                                                                                                    \
  template <class Z>                                                                                                   \
    requires is_traced<T>                                                                                              \
  constexpr const complex& operator OP##=(const Z & z) const {                                                         \
    return *this = z;                                                                                                  \
  }
  TAPELESS_ASSIGNS(+)
  TAPELESS_ASSIGNS(-)
  TAPELESS_ASSIGNS(*)
  TAPELESS_ASSIGNS(/)
#undef TAPELESS_ASSIGNS
  /// Of a tensor or sequence: a row or an element.
  template <class I>
    requires is_traced<T>
  constexpr const complex operator[](const I& i) const {
    return {re[i], im[i]};
  }
  template <class... I>
    requires is_traced<T>
  constexpr const complex operator()(const I&... i) const {
    return {re(i...), im(i...)};
  }
  /// The parts have an order.
  template <class Z>
    requires is_traced<T>
  friend constexpr T operator<=>(const complex& z, const Z&) {
    return z.re.without_order();
  }
};

namespace detail {

/// What holds both of two parts: a value of a function, or the common type of the numbers.
template <class A, class B>
using part_t =
    std::conditional_t<is_traced<A>, A, std::conditional_t<is_traced<B>, B, typename common_real<A, B>::type>>;
template <class A, class B>
constexpr auto make_complex(const A& re, const B& im) {
  using T = part_t<A, B>;
  return complex<T>{static_cast<T>(re), static_cast<T>(im)};
}

}  // namespace detail

template <class A, class B>
complex(A, B) -> complex<detail::part_t<A, B>>;

/// The real part.
template <class T>
constexpr T real(const complex<T>& z) {
  return z.re;
}
/// The imaginary part.
template <class T>
constexpr T imag(const complex<T>& z) {
  return z.im;
}
/// The conjugate, with the sign of the imaginary part changed.
template <class T>
constexpr complex<T> conj(const complex<T>& z) {
  return {z.re, -z.im};
}
/// The modulus, without overflow; gradient 0 at 0.
template <class T>
constexpr T abs(const complex<T>& z) {
  return hypot(z.re, z.im);
}
/// The angle in (-pi, pi]; the cut is along the negative real axis.
template <class T>
constexpr T arg(const complex<T>& z) {
  return atan2(z.im, z.re);
}
/// The square of the modulus, as `std::norm`.
template <class T>
constexpr T norm(const complex<T>& z) {
  return z.re * z.re + z.im * z.im;
}
/// The complex number with modulus r and angle theta.
template <Operand R, Operand Angle>
constexpr auto polar(const R& r, const Angle& theta) {
  return detail::make_complex(r * cos(theta), r * sin(theta));
}

template <class T>
constexpr complex<T> operator-(const complex<T>& z) {
  return {-z.re, -z.im};
}
template <class T>
constexpr complex<T> operator+(const complex<T>& z) {
  return z;
}

template <class A, class B>
constexpr auto operator+(const complex<A>& a, const complex<B>& b) {
  return detail::make_complex(a.re + b.re, a.im + b.im);
}
template <class A, Operand B>
constexpr auto operator+(const complex<A>& a, const B& b) {
  return detail::make_complex(a.re + b, a.im);
}
template <Operand A, class B>
constexpr auto operator+(const A& a, const complex<B>& b) {
  return detail::make_complex(a + b.re, b.im);
}

template <class A, class B>
constexpr auto operator-(const complex<A>& a, const complex<B>& b) {
  return detail::make_complex(a.re - b.re, a.im - b.im);
}
template <class A, Operand B>
constexpr auto operator-(const complex<A>& a, const B& b) {
  return detail::make_complex(a.re - b, a.im);
}
template <Operand A, class B>
constexpr auto operator-(const A& a, const complex<B>& b) {
  return detail::make_complex(a - b.re, -b.im);
}

template <class A, class B>
constexpr auto operator*(const complex<A>& a, const complex<B>& b) {
  return detail::make_complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class A, Operand B>
constexpr auto operator*(const complex<A>& a, const B& b) {
  return detail::make_complex(a.re * b, a.im * b);
}
template <Operand A, class B>
constexpr auto operator*(const A& a, const complex<B>& b) {
  return detail::make_complex(a * b.re, a * b.im);
}

template <class A, Operand B>
constexpr auto operator/(const complex<A>& a, const B& b) {
  return detail::make_complex(a.re / b, a.im / b);
}
/// By the modulus of `b`, so that no square overflows.
template <class A, class B>
constexpr auto operator/(const A& a, const complex<B>& b) -> decltype(a * b) {
  const auto size = abs(b);
  return a * conj(b / size) / size;
}

template <class A, class B>
constexpr auto operator==(const complex<A>& a, const complex<B>& b) {
  return a.re == b.re && a.im == b.im;
}
template <class A, Operand B>
constexpr auto operator==(const complex<A>& a, const B& b) {
  return a.re == b && a.im == 0_c;
}
template <Operand A, class B>
constexpr auto operator==(const A& a, const complex<B>& b) {
  return b == a;
}
template <class A, class B>
constexpr auto operator!=(const complex<A>& a, const complex<B>& b) {
  return a.re != b.re || a.im != b.im;
}
template <class A, Operand B>
constexpr auto operator!=(const complex<A>& a, const B& b) {
  return a.re != b || a.im != 0_c;
}
template <Operand A, class B>
constexpr auto operator!=(const A& a, const complex<B>& b) {
  return b != a;
}

namespace detail {

/// A complex constant of another type, such as `std::complex`.
template <class Z>
concept Other_complex = requires(const Z& z) {
  { z.real() } -> Numeric;
  { z.imag() } -> Numeric;
};
template <class Z>
constexpr auto as_complex(const Z& z) {
  return make_complex(z.real(), z.imag());
}

}  // namespace detail

#define TAPELESS_WITH_OTHER_COMPLEX(OP)                                                                                \
  template <class A, detail::Other_complex B>                                                                          \
  constexpr auto operator OP(const complex<A>& a, const B& b) {                                                        \
    return a OP detail::as_complex(b);                                                                                 \
  }                                                                                                                    \
  template <detail::Other_complex A, class B>                                                                          \
  constexpr auto operator OP(const A& a, const complex<B>& b) {                                                        \
    return detail::as_complex(a) OP b;                                                                                 \
  }                                                                                                                    \
  template <class A, detail::Other_complex B>                                                                          \
    requires is_traced<A>                                                                                              \
  constexpr auto operator OP(const A& a, const B& b) {                                                                 \
    return a OP detail::as_complex(b);                                                                                 \
  }                                                                                                                    \
  template <detail::Other_complex A, class B>                                                                          \
    requires is_traced<B>                                                                                              \
  constexpr auto operator OP(const A& a, const B& b) {                                                                 \
    return detail::as_complex(a) OP b;                                                                                 \
  }
TAPELESS_WITH_OTHER_COMPLEX(+)
TAPELESS_WITH_OTHER_COMPLEX(-)
TAPELESS_WITH_OTHER_COMPLEX(*)
TAPELESS_WITH_OTHER_COMPLEX(/)
#undef TAPELESS_WITH_OTHER_COMPLEX

template <Operand C, class A, class B>
constexpr auto where(const C& condition, const complex<A>& a, const complex<B>& b) {
  return detail::make_complex(where(condition, a.re, b.re), where(condition, a.im, b.im));
}
template <Operand C, class A, Operand B>
constexpr auto where(const C& condition, const complex<A>& a, const B& b) {
  return detail::make_complex(where(condition, a.re, b), where(condition, a.im, 0_c));
}
template <Operand C, Operand A, class B>
constexpr auto where(const C& condition, const A& a, const complex<B>& b) {
  return detail::make_complex(where(condition, a, b.re), where(condition, 0_c, b.im));
}

namespace detail {

/// r s, but 0 where s is 0 and r is infinite or NaN: a number on the axis stays there (Annex G of the C standard).
/// Selects the factor, so that the derivative by s stays r, at most the largest number.
template <class T>
constexpr T times_on_axis(const T& r, const T& s) {
  const auto largest = constant_among<operation::LargestNumber, T>();
  return where(s == 0_c && !(abs(r) <= largest), copysign(largest, r), r) * s;
}

}  // namespace detail

template <class T>
constexpr complex<T> square(const complex<T>& z) {
  return z * z;
}
/// e^z. On the real axis, an overflow gives infinity on that axis, as in `std::exp`. The result is NaN if the imaginary
/// part is not finite, and infinite if e^re is.
template <class T>
constexpr complex<T> exp(const complex<T>& z) {
  const T size = exp(z.re);
  return {size * cos(z.im), detail::times_on_axis(size, T(sin(z.im)))};
}
/// The principal logarithm.
template <class T>
constexpr complex<T> log(const complex<T>& z) {
  return {log(abs(z)), arg(z)};
}
/// The principal root, in the right half plane. On the branch cut, the sign of the imaginary part decides. Its
/// derivative at 0 is not finite. Infinite where |z| and the real part's size have no finite sum.
template <class T>
constexpr complex<T> sqrt(const complex<T>& z) {
  const T large = sqrt((abs(z) + where(z.re < 0_c, -z.re, z.re)) * constant<1, 2>);
  // abs has no slope at 0.
  const T less = detail::where_of<T>(large == 0_c, [] { return 0_c; }, [&] { return z.im / (2_c * large); });
  const T side = copysign(T(1), z.im);
  return {where(z.re < 0_c, side * less, large), where(z.re < 0_c, side * large, less)};
}
namespace detail {

/// An exponent that makes a product.
template <class T>
inline constexpr bool is_small_power = false;
template <std::intmax_t N>
inline constexpr bool is_small_power<Constant<N, 1>> = N >= 0 && N <= 64;

}  // namespace detail

/// z to the power w, with the principal logarithm; 0 for z = 0.
template <class A, class B>
constexpr auto pow(const complex<A>& z, const complex<B>& w) {
  const auto is_zero_base = z.re == 0_c && z.im == 0_c;
  if constexpr (!Symbolic<A> && !Symbolic<B>)  // whose logarithm's parts, -infinity and 0, make NaN
    if (is_zero_base) return decltype(exp(w * log(z))){};
  const auto result = exp(w * log(z));
  return detail::make_complex(where(is_zero_base, 0_c, result.re), where(is_zero_base, 0_c, result.im));
}
template <class A, Operand B>
constexpr auto pow(const complex<A>& z, const B& y) {
  if constexpr (detail::is_small_power<B>) {
    constexpr std::intmax_t n = B::numerator;
    if constexpr (n == 0)
      return complex<A>{A(1), A(0)};
    else if constexpr (n == 1)
      return z;
    else if constexpr (n % 2 == 0)
      return pow(z * z, constant<n / 2>);
    else
      return z * pow(z, constant<n - 1>);
  } else
    return pow(z, detail::make_complex(y, 0_c));
}
template <Operand A, class B>
constexpr auto pow(const A& x, const complex<B>& w) {
  return pow(detail::make_complex(x, 0_c), w);
}

template <class T>
constexpr complex<T> sinh(const complex<T>& z) {
  return {sinh(z.re) * cos(z.im), detail::times_on_axis(T(cosh(z.re)), T(sin(z.im)))};
}
template <class T>
constexpr complex<T> cosh(const complex<T>& z) {
  return {cosh(z.re) * cos(z.im), detail::times_on_axis(T(sinh(z.re)), T(sin(z.im)))};
}
namespace detail {

/// 1 - t^2 of t = tanh(x), with all its digits.
template <class T>
constexpr T tanh_slope(const T& x, const T& t) {
  if constexpr (Symbolic<T>)
    return T(apply<operation::TanhSlope>(x, t));
  else
    return square(1_c / cosh(x));
}

}  // namespace detail

/// Finite for every real part.
template <class T>
constexpr complex<T> tanh(const complex<T>& z) {
  const T t = tanh(z.re), c = cos(z.im), slope = detail::tanh_slope(z.re, t), scale = t * t + c * c * slope;
  return {t / scale, sin(z.im) * c * slope / scale};
}
template <class T>
constexpr complex<T> sin(const complex<T>& z) {
  return {detail::times_on_axis(T(cosh(z.im)), T(sin(z.re))), cos(z.re) * sinh(z.im)};
}
template <class T>
constexpr complex<T> cos(const complex<T>& z) {
  return {cos(z.re) * cosh(z.im), -detail::times_on_axis(T(sinh(z.im)), T(sin(z.re)))};
}
template <class T>
constexpr complex<T> tan(const complex<T>& z) {
  const complex<T> t = tanh(complex<T>{-z.im, z.re});
  return {t.im, -t.re};
}

}  // namespace tapeless
