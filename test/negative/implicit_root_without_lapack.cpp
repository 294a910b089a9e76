// expect: implicit_root of a vector solves a system of equations: include <tapeless/lapack.hpp>
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](auto found, auto w) {
  return sum(implicit_root([](auto x, auto v) { return x + dot(v, tanh(x)) - 1; }, found, w));
};
auto call(const xt::xtensor<double, 1>& x, const xt::xtensor<double, 2>& w) { return gradient(f)(x, w); }
