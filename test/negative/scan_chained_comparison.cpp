// expect: 0 < x < 1 compares a condition with 1
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto xs) { return sum(where(0 < xs < 1, xs, 0)); })(std::vector<double>{1});
