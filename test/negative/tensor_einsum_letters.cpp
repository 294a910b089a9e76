// expect: einsum needs one letter for each axis of an operand
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;

const xt::xtensor<double, 3> cube = xt::xtensor<double, 3>::from_shape({2, 2, 2});
const auto value = einsum<"ij,jk->ik">(a, a)(a = cube);
