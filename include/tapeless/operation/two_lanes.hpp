#pragma once

#include <tapeless/math/two_lanes.hpp>
#include <tapeless/operation/scalar/arithmetic.hpp>

namespace tapeless::operation {

/// The operation `Op` in two lanes at once; an operand that is a number is the same in both.
template <class Op>
struct InTwoLanes {
  static constexpr std::string_view name = Op::name;
  static constexpr operation_counts cost = Op::cost;
  static constexpr bool two_lanes = true;
  static constexpr auto value = [](const auto&... operands) TAPELESS_INLINE_LAMBDA {
    using T = std::common_type_t<decltype(math::lane_of<0>(operands))...>;
    return math::in_two_lanes<T>(Op::value, operands...);
  };
};

/// Two numbers side by side
struct SideBySide {
  static constexpr std::string_view name = "side_by_side";
  static constexpr operation_counts cost{};
  static constexpr bool two_lanes = true;
  static constexpr auto value = []<class T>(const T& first, const T& second)
                                    TAPELESS_INLINE_LAMBDA { return math::two_lanes<T>::of(first, second); };
};

/// The number in lane `I`
template <int I>
struct Lane {
  static constexpr std::string_view name = I == 0 ? "first_lane" : "second_lane";
  static constexpr operation_counts cost{};
  static constexpr auto value = [](const auto& lanes) TAPELESS_INLINE_LAMBDA { return math::lane_of<I>(lanes); };
};

}  // namespace tapeless::operation
