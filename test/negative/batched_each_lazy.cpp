// expect: has a class type that is not a number
// expect-at-most-lines: 14
#include <tapeless/xtensor.hpp>

using namespace tapeless;
constexpr auto f = [](const auto& w, const auto& x) { return square(dot(w, x)); };
void all(xt::xtensor<double, 2>& r, const xt::xtensor<double, 1>& w, const xt::xtensor<double, 2>& x) {
  const auto y = 10.0 * x;
  batched(gradient(f, wrt<0>))(into(r), w, each(y));
}
