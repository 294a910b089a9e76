// expect: rank<
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;

const xt::xarray<double> numbers{1, 2, 3};
const double value = sum(a)(a = numbers);
