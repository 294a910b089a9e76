// expect: sum\(f\), dot\(f, g\) and their like are of tensors, and no tensor is bound
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto a = variable<"a">;

const double value = sum(a)(a = 2.0);
