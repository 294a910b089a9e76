// expect: the indices of take must be a vector
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

const xt::xtensor<double, 2> matrix{{1, 2}, {3, 4}};
const auto value = take(a, b)(a = matrix, b = matrix);
