// expect: freeze stops variables of a formula; in a function write stop_gradient
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
const auto g = gradient([](auto w, auto x) { return freeze<"w">(w * w) * x; })(2.0, 3.0);
