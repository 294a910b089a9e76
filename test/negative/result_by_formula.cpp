// expect: the result has no entry for this variable
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const double d = gradient(x * x)(x = 1.0)[x * x];
