// expect: or with <tapeless/xtensor.hpp> to a tensor
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <vector>

using namespace tapeless;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
const std::vector<double> v{1, 2};
const auto r = gradient(sum(x * y), wrt(y))(x = v, y = 2.0);
