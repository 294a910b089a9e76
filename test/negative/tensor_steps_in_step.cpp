// expect: in the body of a loop over tensors, bounds and numbers of steps are literals
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

constexpr auto f = [](auto p, auto xs, auto n) {
  return tapeless::scan(
      [&](auto d, auto x) {
        return d + x[0] * tapeless::scan([&](auto e, auto) { return e * p; }, d, tapeless::steps(n));
      },
      p, xs);
};
auto call(const xt::xtensor<double, 2>& xs) { return tapeless::gradient(f, tapeless::wrt<0>)(0.5, xs, 2); }
