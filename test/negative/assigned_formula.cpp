// expect: tapeless: formulas of different types: write const auto g = f \+ x
// expect-at-most-lines: 13
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

auto f() {
  auto e = x * x;
  e = e + x;
  return e;
}
