// expect: an operation names an axis twice
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;

const xt::xtensor<double, 2> matrix{{1, 2}, {3, 4}};
const auto value = sum<0, -2>(a)(a = matrix);
