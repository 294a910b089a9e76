// expect: assemble takes \(x, elements, data...\) or \(nodes_of\(x, elements\), nodes_of\(y, others\), data...\)
// expect-at-most-lines: 14
#include <tapeless/assemble.hpp>

#include <vector>

using namespace tapeless;

const std::vector<double> x{1, 2}, y{3}, weights{1};
const std::vector<int> first{0}, second{0};
const auto r = assemble(value_and_gradient([](auto a, auto b, auto w) { return a * b * w; }))(
    nodes_of(x, first), weights, nodes_of(y, second));
