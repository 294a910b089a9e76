// expect: into\(r\) needs the result of the same call
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

const std::vector<double> numbers{1, 2, 3};
const std::vector<float> others{1, 2, 3};
const auto step = tapeless::value_and_gradient([](auto x) { return sum(x * x); });
const auto use = [] {
  auto r = step(numbers);
  step(into(r), others);
};
