// expect: every path from an argument goes through stop_gradient
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

const auto g =
    tapeless::gradient([](auto a, auto b) { return a * stop_gradient(b); }, tapeless::unconnected::strict)(1.0, 2.0);
