// expect: in a traced function a value is not a number yet
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <cmath>

using namespace tapeless;

constexpr auto h = [](auto u) { return std::abs(u); };
const auto r = gradient(h)(1.0);
