#pragma once

#include <tapeless/core/number.hpp>
#include <tapeless/evaluate/traced.hpp>

#include <type_traits>

namespace tapeless::detail {

/// Inside a traced function a computation with one of its arguments is recorded.
template <class... Ts>
struct common_number : std::conditional<(is_traced<Ts> || ...), traced, typename common_real<Ts...>::type> {};
template <class... Ts>
using common_real_t = typename common_number<Ts...>::type;

}  // namespace tapeless::detail
