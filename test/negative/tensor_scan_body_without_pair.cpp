// expect: the body of a scan that stacks returns std::pair.carry, y.
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](const auto& w, const auto& xs) {
  const auto [last, ys] = scan([&](auto h, auto x) { return h + w * x; }, w, xs);
  return sum(last) + sum(ys);
};
const auto g = gradient(f)(xt::xtensor<double, 1>{1, 2}, xt::xtensor<double, 2>{{1, 2}, {3, 4}});
