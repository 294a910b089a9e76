// expect: give the temporary a name
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;

const auto v = batched(value([](const auto& e) { return sum(e); }))(each(xt::xtensor<double, 2>{{1, 2}}));
