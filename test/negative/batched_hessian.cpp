// expect: batched takes a formula or a function, its gradient or its jacobian
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

constexpr auto a = tapeless::variable<"a">;

void call(const std::vector<double>& numbers) { tapeless::batched(hessian(a * a, wrt(a)))(a = numbers); }
