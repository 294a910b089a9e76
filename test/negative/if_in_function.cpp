// expect: write where\(condition, a, b\)
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) {
  if (a > 0) return a;
  return -a;
})(1.0);
