// expect: tapeless: another formula has another type
// expect-at-most-lines: 13
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

auto f() {
  auto e = x * x;
  e = e + x;
  return e;
}
