#pragma once

#include <tapeless/operation/definition/functions.hpp>

#include <string_view>
#include <type_traits>

namespace tapeless::operation {

/// The first operand, wherever the second has elements.
struct Broadcast {
  static constexpr std::string_view name = "broadcast";
  static constexpr operation_counts cost{};
  static constexpr auto value = [](const auto& x, const auto&)
                                    TAPELESS_INLINE_LAMBDA { return std::remove_cvref_t<decltype(x)>(x); };
  static constexpr bool passes(int operand) { return operand == 0; }
  static constexpr rules partials{[](auto, auto, auto) { return 1_c; }, [](auto, auto, auto) { return 0_c; }};
};

}  // namespace tapeless::operation
