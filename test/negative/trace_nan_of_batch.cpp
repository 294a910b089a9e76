// expect: tapeless: trace_nan takes a formula or a verb of a formula or a function.*of batched\(...\) the verb inside
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto a = tapeless::variable<"a">;

const auto origin = trace_nan(tapeless::batched(gradient(a * a)));
