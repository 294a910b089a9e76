// expect: inside a function, jacobian needs results that are numbers or vectors, and hessian arguments that are numbers
// but for one vector expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto f = [](const auto& a, const auto& b) { return sum(exp(a)) * sum(sin(b)); };
constexpr auto g = [](const auto& a, const auto& b) { return sum(tapeless::hessian(f)(a, b)[0][1]); };
auto call(const xt::xtensor<double, 1>& a, const xt::xtensor<double, 1>& b) { return tapeless::gradient(g)(a, b); }
