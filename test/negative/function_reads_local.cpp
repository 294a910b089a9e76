// Most of it are words of the compilers: clang complains where it reads the body and where it compiles it.
// expect: captured
// expect-at-most-lines: 72
#include <tapeless/tapeless.hpp>

using namespace tapeless;
double f(double at) {
  const double k = at;
  return gradient([](auto x) { return k * x; })(1.0);
}
