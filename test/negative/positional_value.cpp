// expect: call a formula with named values
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto v = (x * x)(1.0);
