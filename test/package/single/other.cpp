// A second unit with the same header and the same formula: nothing is defined twice.
#include <tapeless.hpp>

inline constexpr auto x = tapeless::variable<"x">;
inline constexpr auto y = tapeless::variable<"y">;
inline constexpr auto f = x * tapeless::stop_gradient(y) + tapeless::sin(x);

double slope_in_other_unit(double at);
double slope_in_other_unit(double at) { return gradient(f)(x = at, y = 3.0)[x]; }
