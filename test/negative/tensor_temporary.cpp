// expect: a variable is bound to a tensor that stays alive: give the temporary a name
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const double value = sum(a)(a = std::vector<double>{1, 2, 3});
