// expect: operations do not apply to a std::array as a whole
// expect-at-most-lines: 12
#include <tapeless/xtensor.hpp>

#include <array>

using namespace tapeless;
constexpr auto f = [](const auto& h0, const auto& xs) {
  constexpr std::array<std::array<double, 2>, 2> turn{{{0, 1}, {-1, 0}}};
  return sum(scan([&](auto h, auto x) { return h + matmul(turn, x); }, h0, xs));
};
const auto g = gradient(f)(xt::xtensor<double, 1>{1, 2}, xt::xtensor<double, 2>{{1, 2}, {3, 4}});
