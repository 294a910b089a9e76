// expect: tapeless: the product of two vectors is dot.a, b. or outer.a, b.
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>

const double product = tapeless::matmul(std::array{1.0, 2.0}, std::array{3.0, 4.0});
