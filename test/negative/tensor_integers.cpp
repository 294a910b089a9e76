// expect: no derivative with respect to an integer
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const std::vector<int> numbers{1, 2, 3};
const auto g = gradient(sum(a * a), wrt(a))(a = numbers);
