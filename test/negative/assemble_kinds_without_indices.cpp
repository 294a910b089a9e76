// expect: assemble of several functions takes vectors, then sum_over\(indices, data...\) for each function
// expect-at-most-lines: 14
#include <tapeless/assemble.hpp>

#include <array>
#include <vector>

using namespace tapeless;

// Of two vectors, the second sum says only what it reads of the first.
const std::vector<double> x{1, 2}, y{3};
const std::vector<int> own{0};
const auto r = assemble(hessian([](auto a, auto b) { return a * b; }), hessian([](auto a, auto w) { return a * w; }))(
    x, y, sum_over(own, own), sum_over(own, 2.0));
