// expect: hessian\(f, wrt\(x, y\)\)
// expect-at-most-lines: 10
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient(gradient(x * x))(x = 1.0);
