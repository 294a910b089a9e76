// expect: std::array<decltype.x., 2>.x, 0.0., not std::array.x, 0.0.
// expect-at-most-lines: 48
#include <tapeless/tapeless.hpp>

#include <array>

const auto j = tapeless::jacobian([](auto x) { return std::array{x * x, 0.0}; })(1.0);
