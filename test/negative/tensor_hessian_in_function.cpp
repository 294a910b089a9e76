// expect: inside a function, jacobian needs results that are numbers or vectors, and hessian arguments that are numbers
// but for one vector expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto f = [](const auto& a) { return sum(exp(a)); };
constexpr auto g = [](const auto& a) { return sum(tapeless::hessian(f)(a)[0][0]); };
auto call(const xt::xtensor<double, 2>& as) { return tapeless::gradient(g)(as); }
