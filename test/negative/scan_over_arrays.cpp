// expect: or over std::arrays of one length
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;
constexpr auto f = [](auto p, auto x, auto y) {
  return scan([](auto c, auto a, auto b) { return c * a + b; }, p, x, y);
};
const auto g = gradient(f)(1.0, std::array{1.0, 2.0}, std::array{1.0, 2.0, 3.0});
