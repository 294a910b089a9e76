// expect: similar operations need a tensor, and this is a number
// expect-at-most-lines: 48
#include <tapeless/xtensor.hpp>

#include <vector>

const std::vector<double> numbers{1, 2, 3};
const auto g = tapeless::gradient([](auto x) { return tapeless::gradient([](auto y) { return sum(y); })(x); })(numbers);
