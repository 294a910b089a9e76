// expect: a named formula cannot store run-time numbers
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;

constexpr auto e = 2.5 * x;
struct step : named<step, decltype(e)> {};
const auto f = step{} * x;
