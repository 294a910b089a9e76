// expect: batched\(verb\) is called with arrays, not inside a function
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

constexpr auto price = [](auto a, auto b) { return a * b; };
constexpr auto total = [](const auto& a, const auto& b) { return tapeless::batched(price)(a, b); };
auto call(const std::vector<double>& as) { return tapeless::gradient(total)(as, as); }
