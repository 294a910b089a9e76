// expect: write where\(condition, a, b\)
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

const std::vector<double> numbers{1, 2, 3};
const auto g = tapeless::gradient([](auto x) {
  if (sum(x) > 0) return sum(x);
  return -sum(x);
})(numbers);
