#pragma once

#include <string_view>

namespace tapeless::operation {

/// The row or element at indices along the first axes of a tensor.
struct Pick {
  static constexpr std::string_view name = "pick";
  static constexpr bool of_tensors = true;
  template <class Lowering, class Value, class... Indices>
  static constexpr Value lower(Lowering& to, const Value& operand, const Indices&... indices) {
    Value result = operand;
    return ((result = to.pick(result, indices)), ...);
  }
};

}  // namespace tapeless::operation
