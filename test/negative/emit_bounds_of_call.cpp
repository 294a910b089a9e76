// expect: tapeless: emit takes integers among the arguments of functions of tensors, and bounds and extents of slices
// expect-at-most-lines: 20
#include <tapeless/xtensor.hpp>

#include <tapeless/emit.hpp>

#include <vector>

using namespace tapeless;
const auto g = emit<c99, "total", std::vector<double>, int>(
    gradient([](const auto& x, auto n) { return sum(sin(slice<0>(x, 0, n))); }, wrt<0>));
