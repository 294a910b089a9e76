// expect: grad_clip and other operations on adjoints have no rule for tangents
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto d = derivative(grad_clip(x, -1, 1), x);
