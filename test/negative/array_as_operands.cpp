// expect: a std::array is numbers, not a vector
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;

const auto g = gradient([](auto a) { return prod(a); })(std::array<double, 2>{1, 2});
