// expect: square\(x\) or pow\(x, 3_c\) for powers
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;

const auto g = gradient([](auto a) { return a ^ 2; })(1.0);
