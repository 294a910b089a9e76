// expect: for outputs\(...\) use jacobian
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient(outputs(x * x, x));
