// expect: a variable cannot be bound to a temporary tensor
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const double value = sum(a)(a = std::vector<double>{1, 2, 3});
