// expect: the segments of segment_sum must be a vector
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

const xt::xtensor<double, 2> matrix{{1, 2}, {3, 4}};
const auto value = segment_sum(a, b, 2)(a = matrix, b = matrix);
