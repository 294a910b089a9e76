// A captured counter, which the body would read as in its first step.
// expect: is run once, so it cannot change variables outside of it
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <vector>

using namespace tapeless;
const auto v = value([](auto a, auto s) {
  int k = 0;
  return scan([&](auto c, auto e) { return c + ++k * e; }, a, s);
})(1.0, std::vector{1.0, 2.0});
