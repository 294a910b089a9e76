// expect: must return carries of the shapes that they start from
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto path = [](auto a, auto xs) { return sum(scan([&](auto c, auto x) { return c * a + x; }, 0.0, xs)); };
auto call(const xt::xtensor<double, 2>& xs) { return value_and_gradient(path, wrt<0>)(0.5, xs); }
