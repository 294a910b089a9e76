// expect: similar operations need a tensor, and this is a number
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

const auto g = tapeless::gradient([](auto x) { return tapeless::gradient([](auto y) { return sum(y); })(x); })(1.0);
