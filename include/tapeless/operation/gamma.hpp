#ifndef TAPELESS_OPERATION_GAMMA_HPP
#define TAPELESS_OPERATION_GAMMA_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/math/polygamma.hpp>
#include <tapeless/operation/arithmetic.hpp>
#include <tapeless/operation/operation.hpp>

namespace tapeless {

namespace operation {

/// The derivative of order N + 1 of log |gamma(x)|
template <int N>
struct Polygamma {
  static constexpr std::string_view name = N == 0 ? "digamma" : N == 1 ? "trigamma" : "polygamma";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA {
    if constexpr (requires { polygamma_lanes<N>(x); })
      return polygamma_lanes<N>(x);
    else
      return math::polygamma<N>(x);
  };
  static constexpr rules partials{[](auto x, auto) { return apply<Polygamma<N + 1>>(x); }};
  static constexpr double samples[][1] = {{1.5}, {0.25}, {-2.75}, {20.5}};
};

/// log |gamma(x)|
struct Lgamma {
  static constexpr std::string_view name = "lgamma";
  static constexpr auto value = [](const auto& x) TAPELESS_INLINE_LAMBDA { return math::lgamma(x); };
  static constexpr rules partials{[](auto x, auto) { return apply<Polygamma<0>>(x); }};
  static constexpr double samples[][1] = {{1.5}, {0.25}, {-2.75}, {20.5}};
};

}  // namespace operation

/// log |gamma(x)|; +infinity at 0, -1, -2, ... Its derivative is digamma.
TAPELESS_UNARY_FUNCTION(lgamma, operation::Lgamma)
/// The derivative of lgamma, for float, double and long double.
TAPELESS_UNARY_FUNCTION(digamma, operation::Polygamma<0>)
/// The derivative of digamma, for float, double and long double.
TAPELESS_UNARY_FUNCTION(trigamma, operation::Polygamma<1>)

}  // namespace tapeless

#endif
