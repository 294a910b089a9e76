// expect: a condition has no value yet.*a loop.s bound.*use constants as loop bounds
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

const auto g = tapeless::gradient(
    [](auto x, auto n) {
      auto power = x;
      for (int i = 1; i < n; ++i) power *= x;
      return power;
    },
    tapeless::wrt<0>)(1.0, 3);
