// expect: tapeless: emit writes functions of numbers, of arrays of fixed size and of vectors that loops read
// expect-at-most-lines: 20
#include <tapeless/xtensor.hpp>

#include <tapeless/emit.hpp>

#include <vector>

using namespace tapeless;
const auto g = emit<c99, "total", std::vector<double>>(gradient([](const auto& x) { return sum(sin(x)); }));
