// expect: a batched formula takes arrays element by element without it
#include <tapeless/xtensor.hpp>

#include <vector>

constexpr auto x = tapeless::variable<"x">;
auto call(const std::vector<double>& xs) { return tapeless::batched(gradient(exp(x)))(x = tapeless::each(xs)); }
