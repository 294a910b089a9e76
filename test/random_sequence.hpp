#pragma once

#include <cstdint>

namespace tapeless_test {

/// A xorshift sequence, which constant evaluation can run.
struct random_sequence {
  std::uint32_t state;
  constexpr std::uint32_t below(std::uint32_t limit) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % limit;
  }
};

}  // namespace tapeless_test
