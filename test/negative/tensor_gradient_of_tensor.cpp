// expect: a gradient or a Hessian needs a result that is one number
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const std::vector<double> numbers{1, 2, 3};
const auto g = gradient(a * a, wrt(a))(a = numbers);
