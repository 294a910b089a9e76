// expect: bind a variable to a number
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

auto v(const double* p) { return (x * x)(x = p); }
