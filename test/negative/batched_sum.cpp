// expect: batched calls a formula of numbers with each element of arrays
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto a = tapeless::variable<"a">;

void call(const std::vector<double>& numbers) { tapeless::batched(sum(a * a))(a = numbers); }
