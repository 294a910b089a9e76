// expect: give the temporary tensor a name
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto a = tapeless::variable<"a">;

double value() { return sum(a)(a = tapeless::rank<1>(xt::xarray<double>{1, 2})); }
