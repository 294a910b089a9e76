// expect: the program has more nodes than TAPELESS_MAX_NODES
// expect-at-most-lines: 12
// options: -DTAPELESS_MAX_NODES=1000
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto h = hessian([](auto a) {
  auto s = a[0];
  for (int i = 0; i < 40; ++i) s = sin(s) * a[static_cast<std::size_t>(i % 8)] + s;
  return s;
})(std::array{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0});
