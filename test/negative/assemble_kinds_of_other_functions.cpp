// expect: the function does not accept what assemble passes, an element's entries of x and its data
// expect-at-most-lines: 14
#include <tapeless/assemble.hpp>

#include <array>
#include <vector>

using namespace tapeless;

const std::vector<double> x{1, 2};
const std::vector<std::array<int, 2>> pairs{{0, 1}};
const auto r = assemble(hessian([](auto a, auto b) { return a * b; }), hessian([](auto a) { return a * a; }))(
    x, sum_over(pairs), sum_over(pairs));
