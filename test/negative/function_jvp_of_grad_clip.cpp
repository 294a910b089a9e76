// expect: grad_clip and other operations on adjoints have no rule for tangents
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

const double d = tapeless::jvp([](auto a) { return grad_clip(a, -1, 1); }, tapeless::tangent(1.0))(2.0);
