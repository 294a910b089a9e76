// expect: a variable of the formula has no value
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;
constexpr auto b = variable<"b">;

const std::vector<double> numbers{1, 2, 3};
const auto g = gradient(sum(a * b), wrt(a))(a = numbers);
