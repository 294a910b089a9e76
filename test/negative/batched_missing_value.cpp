// expect: a variable of the formula has no value; bind every variable
// expect: "b"
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto a = tapeless::variable<"a">;
constexpr auto b = tapeless::variable<"b">;

void call(const std::vector<double>& numbers) { tapeless::batched(gradient(a * b, wrt(a)))(a = numbers); }
