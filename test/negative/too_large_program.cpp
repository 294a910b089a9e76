// expect: the program is too large
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) {
  auto s = a;
  for (int i = 0; i < 8000; ++i) s = sin(s);
  return s;
})(1.0);
