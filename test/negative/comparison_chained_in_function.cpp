// expect: write 0 < x && x < 1
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;

const auto g = gradient([](auto a) { return where(0 < a < 1, a, 1 - a); })(0.5);
