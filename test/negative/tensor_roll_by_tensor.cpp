// expect: so must the step of a slice, and the numbers of roll
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const std::vector<double> numbers{1, 2, 3};
const auto value = roll<0>(a, a)(a = numbers);
