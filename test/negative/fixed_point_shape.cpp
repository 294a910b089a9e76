// expect: the function of a fixed_point takes x and args, and must return the same type as x
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return fixed_point([](auto x, auto b) { return std::array{x, b}; }, a, a); })(0.5);
