// expect: the program has more nodes than TAPELESS_MAX_NODES
// expect-at-most-lines: 12
// options: -DTAPELESS_MAX_NODES=1000
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto count = cost<double>(gradient([](auto a) {
  auto s = a;
  for (int i = 0; i < 600; ++i) s = sin(s);
  return s;
}));
