// expect: the value that pad puts around a tensor must be a number
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const std::vector<double> numbers{1, 2, 3};
const auto value = pad<0>(a, 1, 1, a)(a = numbers);
