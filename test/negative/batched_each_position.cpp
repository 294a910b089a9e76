// expect: wrt<...> names an argument that the function does not have
// expect-at-most-lines: 14
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](const auto& w, const auto& x) { return square(dot(w, x)); };
const xt::xtensor<double, 1> w{1, 2};
const xt::xtensor<double, 2> x{{1, 2}, {3, 4}};
const auto g = batched(gradient(f, wrt<5>))(w, each(x));
