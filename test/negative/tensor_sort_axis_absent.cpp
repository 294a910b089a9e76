// expect: an operation names an axis that its operand does not have
// expect-at-most-lines: 12
#include <tapeless/sort.hpp>
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const std::vector<double> numbers{1, 2, 3};
const auto value = sort<1>(a)(a = numbers);
