// expect: nodiscard|warn_unused_result
// expect-at-most-lines: 18
// options: -Werror=unused-result
#include <tapeless/tapeless.hpp>

using namespace tapeless;

double f() {
  return gradient([](auto a) {
    auto b = a * a;
    stop_gradient(b);
    return b * a;
  })(2.0);
}
