// expect: over tensors, loops store all
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto path = [](auto h, auto xs) {
  return sum(scan<checkpoints<8>>([](auto c, auto x) { return sin(c) + x; }, h, xs));
};
auto call(const xt::xtensor<double, 1>& h, const xt::xtensor<double, 2>& xs) { return gradient(path)(h, xs); }
