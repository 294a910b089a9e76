// expect: in the body of a loop over tensors, bounds and numbers of steps are literals
// expect-at-most-lines: 12
// What is wrong with what the inner loop stacks only follows from that.
#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

constexpr auto f = [](auto p, auto xs, auto n) {
  const auto step = [&](auto d, auto x) {
    const auto stacked = tapeless::scan([&](auto e, auto) { return std::pair(e * p, e * x); }, d, tapeless::steps(n));
    return stacked.first + sum(sum<1>(stacked.second));
  };
  return tapeless::scan(step, p, xs);
};
auto call(const xt::xtensor<double, 2>& xs) { return tapeless::gradient(f, tapeless::wrt<0>)(0.5, xs, 2); }
