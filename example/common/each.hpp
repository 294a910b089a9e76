#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace example {

/// f(0), ..., f(n - 1) as an array: of numbers, or of what a traced function computes with.
template <std::size_t n, class F>
constexpr auto each(const F& f) {
  return
      [&]<std::size_t... i>(std::index_sequence<i...>) { return std::array{f(i)...}; }(std::make_index_sequence<n>{});
}

}  // namespace example
