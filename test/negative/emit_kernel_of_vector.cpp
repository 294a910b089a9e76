// expect: tapeless: a kernel takes numbers and arrays of fixed size, and an argument is a vector
// expect-at-most-lines: 20
#include <tapeless/tapeless.hpp>

#include <tapeless/emit.hpp>

#include <vector>

using namespace tapeless;
const auto g = emit<opencl, "total", std::vector<double>>(
    value([](const auto& xs) { return scan([](auto c, auto x) { return c + x; }, 0.0, xs); }));
