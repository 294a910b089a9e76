// expect: batched\(verb\) is called with arrays, not inside a function
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

constexpr auto x = tapeless::variable<"x">;
constexpr auto total = [](const auto& a) { return tapeless::batched(exp(x))(x = a); };
auto call(const std::vector<double>& as) { return tapeless::gradient(total)(as); }
