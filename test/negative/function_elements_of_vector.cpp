// expect: write scan.*, or over tensors sum.f.x..
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

auto call(const std::vector<double>& y) {
  return tapeless::gradient([](auto x) {
    auto sum = 0 * x[0];
    for (const auto& each : x) sum = sum + each * each;
    return sum;
  })(y);
}
