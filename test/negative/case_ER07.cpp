// JAX's "grad requires real- or complex-valued inputs ... but got int32".
// expect: no derivative with respect to an integer
// expect: derivative_by_integer, tapeless::Variable<tapeless::fixed_string<2>{"x"}
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

const auto g = gradient(x * y, wrt(x))(x = 3, y = 2.0);
