// expect: the data are fixed
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto g = gradient(x * prevent_gradient<"the data are fixed">(y))(x = 1.0, y = 2.0);
