#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/verb.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// Containers of several values, an array where all have one type.
template <class T, class... Ts>
struct values_of_types {
  using type =
      std::conditional_t<(std::is_same_v<T, Ts> && ...), std::array<T, 1 + sizeof...(Ts)>, std::tuple<T, Ts...>>;
};

/// What the verb `V` gives over tensors: `Values`, tangents being values too, `Gradient`, or `Both`.
template <verb V, class Values, class Gradient, class Both>
struct result_parts {
  static constexpr bool only_values = V.what == derives::nothing || V.what == derives::tangent;
  using type = std::conditional_t<
      !only_values, std::conditional_t<V.with_value, Both, Gradient>,
      std::conditional_t<V.what == derives::tangent && V.with_value, value_and_jvp_result<Values, Values>, Values>>;

  /// The values that number `K` is one of: from number `Outputs` on they are tangents.
  template <std::size_t K, std::size_t Outputs>
  static Values& values_in(type& r) {
    if constexpr (std::is_same_v<type, Values>)
      return r;
    else if constexpr (K >= Outputs)
      return r.tangent;
    else
      return r.value;
  }
  static Gradient& gradient_in(type& r) {
    if constexpr (V.with_value)
      return r.gradient;
    else
      return r;
  }
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
