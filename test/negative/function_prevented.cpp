// expect: a derivative is taken through prevent_gradient
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto a) { return a * prevent_gradient<"the data are fixed">(sin(a)); })(1.0);
