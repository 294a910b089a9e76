// expect: inconsistent types|in return type deduced as
// expect-at-most-lines: 30
#include <tapeless/tapeless.hpp>

using namespace tapeless;

double slope(double a) {
  return gradient([](auto x) {
    if (sizeof(x) > 1) return x * x;
    return 1.0;
  })(a);
}
