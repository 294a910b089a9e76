// expect: axis
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

const xt::xtensor<double, 2> matrix{{1, 2}, {3, 4}};
const std::vector<double> numbers{1, 2};
const auto value = concatenate<0>(a, b)(a = matrix, b = numbers);
