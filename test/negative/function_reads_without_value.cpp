// expect: reads a variable that has no value yet
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

const auto g = tapeless::gradient([](auto x) {
  decltype(x) p[3];
  p[0] = x;
  return p[0] * p[2];
})(1.0);
