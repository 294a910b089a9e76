// expect: similar operations need a tensor, and no tensor is bound
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;

const double value = sum(a)(a = 2.0);
