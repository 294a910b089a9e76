// expect: decltype.q.0.. is a reference
// expect-at-most-lines: 80
#include <tapeless/tapeless.hpp>

#include <array>

const auto g = tapeless::gradient([](auto q) {
  std::array<decltype(q[0]), 2> s{q[0], q[1]};
  return s[0] * s[1];
})(std::array{1.0, 2.0});
