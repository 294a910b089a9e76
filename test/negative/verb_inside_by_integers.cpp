// expect: tapeless: no derivative with respect to an integer
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <tuple>
#include <vector>

using namespace tapeless;
constexpr auto loss = [](auto a, auto xs) {
  return scan([&](auto c, auto x) { return c + a * std::get<0>(x) * std::get<1>(x); }, 0.0, xs);
};
const double g = gradient(
    [](auto a, auto xs) {
      return scan([](auto c, auto s) { return c + std::get<0>(s); }, 0.0, gradient(loss, wrt<1>)(a, xs));
    },
    wrt<0>)(2.0, std::vector{std::tuple(1.0, 2)});
