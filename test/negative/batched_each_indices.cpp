// expect: the indices of take must be the same for all elements
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

#include <vector>

auto wrong(const std::vector<double>& w, const xt::xtensor<int, 2>& i) {
  return tapeless::batched(tapeless::value([](const auto& v, const auto& k) { return sum(take(v, k)); }))(
      w, tapeless::each(i));
}
