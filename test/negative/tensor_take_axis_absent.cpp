// expect: an operation names an axis that its operand does not have
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

const std::vector<double> numbers{1, 2, 3};
const std::vector<int> indices{2, 0};
const auto value = take<1>(a, b)(a = numbers, b = indices);
