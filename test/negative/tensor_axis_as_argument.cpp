// expect: softmax takes axes, extents and subscripts as template arguments, as in sum<0>
// expect-at-most-lines: 30
#include <tapeless/xtensor.hpp>

using namespace tapeless;

const xt::xtensor<double, 2> matrix{{1, 2}, {3, 4}};
const auto g = gradient([](auto m) { return sum(softmax(m, 1) * m); })(matrix);
