#pragma once

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <string_view>
#include <type_traits>

namespace tapeless_test {

/// e^x, counted where it runs.
inline int exponentials = 0;
struct CountedExp {
  static constexpr std::string_view name = "counted_exp";
  static constexpr auto value = [](const auto& x) {
    if (!std::is_constant_evaluated()) ++exponentials;
    return std::exp(x);
  };
  static constexpr tapeless::rules partials{[](auto, auto y) { return y; }};
};

}  // namespace tapeless_test
