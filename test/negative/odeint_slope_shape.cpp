// expect: the f of odeint and odeint_at must return the derivative of the state, of the shape of y0
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](auto y) { return sum(odeint([](auto, auto x) { return std::array{x, x}; }, y, 0.0, 1.0, 10)); };
auto call(const xt::xtensor<double, 1>& y) { return gradient(f)(y); }
