// expect: so it cannot have captures or be
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

const std::vector<double> numbers{1, 2, 3};
auto use(double scale) {
  return tapeless::gradient([scale](auto x) { return scale * sum(x); })(numbers);
}
