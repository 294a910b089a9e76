// expect: tapeless: the body of a while_loop must return the next carry, of the shape of the first
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto x) {
  return while_loop([](auto c) { return c < 1; }, [](auto c) { return std::array{c, c}; }, x, 9);
})(1.0);
