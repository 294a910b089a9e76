#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/number.hpp>
#include <tapeless/evaluate/traced.hpp>

#include <type_traits>

namespace tapeless::detail {

/// Inside a traced function a computation with one of its arguments is recorded.
template <class... Ts>
constexpr auto common_number() {
  if constexpr ((is_traced<Ts> || ...))
    return std::type_identity<traced>{};
  else
    return std::type_identity<typename common_real<Ts...>::type>{};
}
template <class... Ts>
using common_real_t = typename decltype(common_number<Ts...>())::type;

}  // namespace tapeless::detail
