// The functions that the compiler runs fit its limit; the program over tensors that they make does not.
// options: -fconstexpr-steps=120000
// expect: raise its limit, clang -fconstexpr-steps=100000000, g\+\+ -fconstexpr-ops-limit=1000000000
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto slope = [](auto t, const auto& y, const auto& w) { return tanh(dot(w, y)) - t * y; };
constexpr auto f = [](const auto& w, const auto& y) { return sum(odeint(slope, y, 0.0, 1.0, 10, w)); };
double g(const xt::xtensor<double, 2>& w, const xt::xtensor<double, 1>& y) { return value(f)(w, y); }
