// expect: declare the parameters of a traced function `auto`, not double or int
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

const auto g = tapeless::gradient([](auto x, int n) { return x * n; }, tapeless::wrt<0>)(1.0, 3);
