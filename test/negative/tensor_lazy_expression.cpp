// expect: to a tensor or a view
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;

const xt::xtensor<double, 1> numbers{1, 2, 3};
const double value = sum(a)(a = 2.0 * numbers);
