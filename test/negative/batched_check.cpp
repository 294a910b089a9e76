// expect: batched takes a formula, outputs\(...\), a function, or a verb of one
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto a = tapeless::variable<"a">;

const auto check = tapeless::batched(check_gradient(a * a));
