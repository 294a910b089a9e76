// expect: bind a list of variables to a tuple, a std::array or an adapted struct
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto w = variable<"w">;
constexpr auto b = variable<"b">;
const auto value = (w * b)(variables(w, b) = 2.0);
