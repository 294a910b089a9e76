// expect: in a function write stop_gradient\(x\)
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient([](auto a) { return a * a; }, stop_gradients(x));
