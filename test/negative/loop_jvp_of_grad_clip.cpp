// expect: grad_clip and other operations on adjoints have no rule for tangents
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto in_loop = [](auto p, auto n) {
  return scan([](auto c, auto) { return grad_clip(c, -1, 1); }, p, steps(n));
};
const double d = jvp(in_loop, wrt<0>, tangent(1.0))(2.0, 3);
