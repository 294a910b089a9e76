// expect: einsum takes axes, extents and subscripts as template arguments
// expect: concatenate takes axes
// expect: reshape takes axes
// expect: sum takes axes
// expect-at-most-lines: 60
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

const auto product = einsum("ij,j->i", a, b);
const auto joined = concatenate(a, b);
const auto shaped = reshape(a, 2, 3);
const auto summed = sum(a, 0, keep_dims);
