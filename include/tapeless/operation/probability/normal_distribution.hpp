#pragma once

#include <tapeless/operation/scalar/gamma.hpp>

namespace tapeless {

namespace operation {

/// 1 / sqrt(2)
TAPELESS_CONSTANT(OneOverSqrtTwo, "1/sqrt(2)", 0.707106781186547524400844362104849039L, math::sqrt(T(T(1) / 2)))

/// 1 / sqrt(2 pi)
TAPELESS_CONSTANT(OneOverSqrtTwoPi, "1/sqrt(2 pi)", 0.398942280401432677939946059934381868L,
                  T(1) / math::sqrt(T(2 * math::acos(T(-1)))))

/// log(2 pi) / 2
TAPELESS_CONSTANT(HalfLogTwoPi, "log(2 pi)/2", 0.918938533204672741780329736405617640L,
                  math::log(T(2 * math::acos(T(-1)))) / 2)

}  // namespace operation

namespace detail {

/// The probability that a standard normal number exceeds x >= 0.
template <class E>
constexpr auto normal_tail(E x) {
  return constant<1, 2> * erfc(mathematical_constant<operation::OneOverSqrtTwo> * x);
}

/// The r of Phi(x) = phi(x) / -x (1 - r) for x < -10, by the asymptotic series (Abramowitz and Stegun 26.2.12) in
/// t = 1 / x^2: 16 terms leave an error below 1e-15 there.
template <int K = 1, class E>
constexpr auto rest_of_normal_tail(E t) {
  if constexpr (K == 16)
    return constant<2 * K - 1> * t;
  else
    return constant<2 * K - 1> * t * (1_c - rest_of_normal_tail<K + 1>(t));
}

}  // namespace detail

namespace operation {

/// The probability that a standard normal number is below x
struct NormalCdf {
  static constexpr std::string_view name = "normal_cdf";
  static constexpr auto expand = [](auto x) { return detail::normal_tail(-x); };
  static constexpr rules partials{
      [](auto x, auto) { return mathematical_constant<OneOverSqrtTwoPi> * exp(-(constant<1, 2> * x * x)); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}, {-3.5}};
};

/// phi(x) / Phi(x): density over probability, the slope of log(Phi).
struct NormalHazard {
  static constexpr std::string_view name = "normal_hazard";
  static constexpr auto expand = [](auto x) {
    return where(x < constant<-10>, -x / (1_c - detail::rest_of_normal_tail(1_c / (x * x))),
                 mathematical_constant<OneOverSqrtTwoPi> * exp(-(constant<1, 2> * x * x)) / detail::normal_tail(-x));
  };
  // -h (x + h), in the tail without the difference of numbers that are nearly equal.
  static constexpr rules partials{[](auto x, auto h) {
    return -(h * where(x < constant<-10>, h * detail::rest_of_normal_tail(1_c / (x * x)), x + h));
  }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}, {-30.0}};
};

/// log(Phi(x)), finite as long as x^2 is
struct LogNormalCdf {
  static constexpr std::string_view name = "log_normal_cdf";
  static constexpr auto expand = [](auto x) {
    const auto tail = detail::normal_tail(abs(x));
    return where(x < constant<-10>,
                 log1p(-detail::rest_of_normal_tail(1_c / (x * x))) - constant<1, 2> * x * x - log(-x) -
                     mathematical_constant<HalfLogTwoPi>,
                 where(x > 0_c, log1p(-tail), log(tail)));
  };
  static constexpr rules partials{[](auto x, auto) { return apply<NormalHazard>(x); }};
  static constexpr double samples[][1] = {{1.5}, {-0.25}, {-3.5}, {-30.0}};
};

}  // namespace operation

}  // namespace tapeless
