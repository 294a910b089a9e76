// expect: an argument, or a member of one, has a class type that is not a number
// expect-at-most-lines: 15
#include <tapeless/xtensor.hpp>

using namespace tapeless;

const xt::xtensor<double, 1> numbers{1, 2};
const auto g = batched(gradient([](auto a, auto b) { return a * sin(b); }))(numbers + 1.0, numbers);
