// One message, not a second one for the part of a result that there is not.
// expect: gradient and hessian need a function that returns one number
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>

using namespace tapeless;
constexpr auto two = [](auto x, auto y) { return std::array{x * y, x}; };
const auto g = gradient([](auto x) { return get<0>(gradient(two)(x, x)); })(1.0);
