// expect: odeint_at does not work in functions over tensors
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](auto y, auto times, auto w) {
  return sum(odeint_at([](auto, auto x, auto v) { return dot(v, tanh(x)); }, y, 0.0, times, w, 1e-6));
};
auto call(const xt::xtensor<double, 1>& y, const xt::xtensor<double, 1>& times, const xt::xtensor<double, 2>& w) {
  return gradient(f)(y, times, w);
}
