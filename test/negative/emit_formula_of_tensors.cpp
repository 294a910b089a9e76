// expect: tapeless: emit writes a formula of tensors for those that are bound
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <tapeless/emit.hpp>

using namespace tapeless;
inline constexpr auto x = variable<"x">;
const auto g = emit<c99, "total">(gradient(sum(x * x)));
