// expect: sum in the type of an argument, decltype\(x\) s = 0
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

const auto g = tapeless::gradient([](auto x) {
  double s = 0;
  for (int i = 0; i < 3; ++i) s += x * i;
  return s;
})(1.0);
