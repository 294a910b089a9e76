// expect: for a function that returns an array use jacobian
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return std::array{a, a}; })(1.0);
