// expect: write where\(condition, a, b\)
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

double f() {
  if (x > 0) return 1;
  return 0;
}
