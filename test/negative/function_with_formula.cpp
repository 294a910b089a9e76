// expect: a traced function cannot use variables of formulas
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

const auto g = gradient([](auto a) { return a * x; })(1.0);
