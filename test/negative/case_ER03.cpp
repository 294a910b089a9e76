// PyTensor's DisconnectedInputError: the variable is named.
// expect: every path from this variable goes through stop_gradient
// expect: unconnected_variable_is_stopped, tapeless::Variable<tapeless::fixed_string<2>{"x"}
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient(stop_gradient(x), wrt(x), unconnected::strict)(x = 1.0);
