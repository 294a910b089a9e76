// expect: the bounds of a slice and the classes of one_hot must be integers
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const std::vector<double> numbers{1, 2, 3};
const auto value = slice<0>(a, 0, a)(a = numbers);
