// expect: tapeless: trace_nan takes a formula or a verb.*value\(f\)
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

constexpr auto f = [](auto u) { return u * u; };

const auto origin = tapeless::trace_nan(f);
