// expect: broadcast_like needs a tensor whose rank is at most that of the other
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;

const xt::xtensor<double, 2> matrix{{1, 2}, {3, 4}};
const auto value = broadcast_like(a, sum<0>(a))(a = matrix);
