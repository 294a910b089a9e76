// expect: leaves an array.s bounds
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return a[3]; })(std::array{1.0, 2.0});
