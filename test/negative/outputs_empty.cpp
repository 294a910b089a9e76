// expect: outputs takes one or more formulas
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto j = jacobian(outputs());
