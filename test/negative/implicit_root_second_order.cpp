// expect: have derivatives of first order; write implicit_root<n> or fixed_point<n>
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto root = [](auto p) { return implicit_root([](auto x, auto q) { return x * x * x - q; }, p, p); };
constexpr auto f = [](auto p) { return square(gradient(root)(p)); };
const auto g = gradient(f)(8.0);
