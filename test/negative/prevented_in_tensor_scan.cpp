// expect: a derivative is taken through prevent_gradient
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto last = [](auto w, auto xs) {
  return sum(scan([&](auto h, auto x) { return prevent_gradient<"no">(tanh(h + w * x)); }, 0 * w, xs));
};
auto slope(const xt::xtensor<double, 1>& w, const xt::xtensor<double, 2>& xs) { return gradient(last, wrt<0>)(w, xs); }
