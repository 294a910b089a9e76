// expect: a verb inside a function differentiates by numbers, not by a tensor
// expect-at-most-lines: 21
#include <tapeless/xtensor.hpp>

#include <vector>

const std::vector<double> numbers{1, 2, 3};
const auto g = tapeless::gradient([](auto x) { return tapeless::gradient([](auto y) { return sum(y); })(x); })(numbers);
