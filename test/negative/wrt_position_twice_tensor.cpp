// expect: wrt<\.\.\.> names an argument twice
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
const auto g = gradient([](auto x) { return sum(x * x); }, wrt<0, 0>)(xt::xtensor<double, 1>{1, 2});
