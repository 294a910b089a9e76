// expect: sum takes axes, extents and subscripts as template arguments
// expect-at-most-lines: 26
#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;

constexpr auto h = [](const auto& v) { return sum(v, 0); };
const auto r = gradient(h)(std::array{1.0, 2.0});
