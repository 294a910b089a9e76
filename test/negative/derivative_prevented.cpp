// expect: a derivative is taken through prevent_gradient
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto d = derivative(x * prevent_gradient<"the data are fixed">(sin(x)), x);
