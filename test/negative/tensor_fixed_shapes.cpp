// expect: the fixed shapes of two operands do not broadcast
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

const xt::xtensor_fixed<double, xt::xshape<2, 3>> matrix{};
const xt::xtensor_fixed<double, xt::xshape<2>> vector{};
const double value = sum(a * b)(a = matrix, b = vector);
