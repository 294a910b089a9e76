// expect: wrong number of operands: grad_clip takes 3
// expect-at-most-lines: 26
#include <tapeless/tapeless.hpp>

using namespace tapeless;

const auto g = gradient([](auto a) { return grad_clip(a, 1); })(1.0);
