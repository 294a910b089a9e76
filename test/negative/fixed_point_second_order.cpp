// expect: have derivatives of first order; write implicit_root<n> or fixed_point<n>
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto f = [](auto p) { return fixed_point([](auto z, auto q) { return q * cos(z); }, p, p); };
const auto h = hessian(f)(0.8);
