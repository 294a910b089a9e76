// expect: grad_clip and other operations on adjoints have no rule for tangents
// expect-at-most-lines: 14
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const double d = jvp(grad_clip(x, -1, 1), tangent(x = 1.0))(x = 2.0);
