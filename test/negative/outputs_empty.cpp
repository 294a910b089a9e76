// expect: outputs takes formulas, at least one
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto j = jacobian(outputs());
