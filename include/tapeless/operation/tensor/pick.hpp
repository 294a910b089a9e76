#pragma once

#include <string_view>

namespace tapeless::operation {

/// The row or element at indices along the first axes of a tensor.
struct Pick {
  static constexpr std::string_view name = "pick";
  static constexpr auto lower = [](auto& to, auto result, const auto&... indices) {
    return ((result = to.pick(result, indices)), ...);
  };
};

}  // namespace tapeless::operation
