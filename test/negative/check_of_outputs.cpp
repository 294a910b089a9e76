// expect: check each formula of outputs\(...\) by itself
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto h = check_gradient(outputs(x * x, x))(x = 1.0);
