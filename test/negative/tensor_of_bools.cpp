// expect: bind a variable to a number
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const std::vector<bool> flags{true, false};
const auto value = sum(a)(a = flags);
