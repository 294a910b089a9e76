// expect: the compiler cannot run the function
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

constexpr auto f = [](auto a) { return a * a; };
constexpr auto g = [](auto a) { return a * tapeless::check_gradient(f)(a).passed(1e-8); };
const double slope = tapeless::gradient(g)(1.0);
