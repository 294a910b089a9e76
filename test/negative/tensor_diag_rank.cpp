// expect: diag needs a vector or a matrix
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;

const xt::xtensor<double, 3> cube{{{1, 2}}};
const auto value = diag(a)(a = cube);
