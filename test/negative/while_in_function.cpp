// expect: in a traced function a condition has no value yet
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto h = [](auto u) {
  while (u > 1e-3) u = u / 2;
  return u;
};
const auto r = gradient(h)(1.0);
