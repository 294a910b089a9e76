#pragma once

#include <algorithm>
#include <functional>
#include <utility>

namespace tapeless::detail {

/// From the first byte to that after the last.
using memory_range = std::pair<const void*, const void*>;

inline bool overlap(const memory_range& a, const memory_range& b) {
  return std::less<>{}(a.first, b.second) && std::less<>{}(b.first, a.second);
}
/// What two ranges lie in.
inline memory_range hull(const memory_range& a, const memory_range& b) {
  if (!a.first) return b;
  return {std::min(a.first, b.first, std::less<>{}), std::max(a.second, b.second, std::less<>{})};
}

}  // namespace tapeless::detail
