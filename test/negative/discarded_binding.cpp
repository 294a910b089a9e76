// expect: nodiscard|warn_unused_result
// expect-at-most-lines: 14
// options: -Werror=unused-result
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

double f() {
  x = 1.0;
  return (x * x)(x = 2.0);
}
