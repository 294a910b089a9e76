// expect: each.x. of vectors in a vector is for functions with loops of numbers
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

#include <vector>

using namespace tapeless;
constexpr auto f = [](const auto& w, const auto& xs) {
  return sum(scan([&](auto h, auto x) { return tanh(w * x + 0.5 * h); }, w, xs));
};
auto wrong(const xt::xtensor<double, 1>& w, const std::vector<std::vector<double>>& xs) {
  return batched(gradient(f, wrt<0>))(w, each(xs));
}
