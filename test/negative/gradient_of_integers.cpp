// expect: no derivative with respect to an integer; pass a floating-point number
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;

constexpr auto h = [](auto p) { return p[0] * p[1]; };
const auto r = gradient(h)(std::array{1, 2});
