// expect: bind_back\(\[\]\(auto x, auto c\)
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
auto g() {
  const double c = 2;
  const auto f = [c](auto a) { return c * a; };
  return gradient(f)(1.0);
}
