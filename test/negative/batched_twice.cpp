// expect: write batched\(f\), not batched\(batched\(f\)\)
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto price = [](auto a, auto b) { return a * b; };
const auto twice = tapeless::batched(tapeless::batched(tapeless::gradient(price)));
