// expect: operations do not apply to a std::array as a whole
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;

constexpr auto h = [](auto p) { return sum(2 * p); };
const auto r = gradient(h)(std::array{1.0, 2.0});
