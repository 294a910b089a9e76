// expect: into\(r\) needs the result of the same call
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto a = variable<"a">;

const std::vector<double> numbers{1, 2, 3};
const xt::xtensor<double, 1> vector{1, 2, 3};
const auto step = value_and_gradient(sum(a * a), wrt(a));
const auto use = [] {
  auto r = step(a = numbers);
  step(into(r), a = vector);
};
