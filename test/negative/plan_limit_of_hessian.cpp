// options: -fconstexpr-steps=100000
// expect: raise its limit, clang -fconstexpr-steps=100000000, g\+\+ -fconstexpr-ops-limit=1000000000
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](auto X, auto w, auto b) {
  const auto centred = X - mean<1>(X, keep_dims);
  const auto p = prod<1>(centred / sqrt(mean<1>(square(centred), keep_dims) + 0.01) * w + b);
  const auto again = p - mean<0>(p, keep_dims);
  return sum(square(again / sqrt(mean<0>(square(again), keep_dims) + 0.01) * p));
};
auto g(const xt::xtensor<double, 2>& x, const xt::xtensor<double, 1>& w, const xt::xtensor<double, 1>& b) {
  return hessian(f, wrt<1, 2>)(x, w, b);
}
