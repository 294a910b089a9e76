// expect: no derivative with respect to an integer
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a, auto n) { return a * n; })(1.0, 2);
