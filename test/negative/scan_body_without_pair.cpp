// expect: the body of a scan that stacks returns std::pair.carry, y.
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <vector>

using namespace tapeless;
constexpr auto f = [](auto w, auto xs) {
  const auto [last, ys] = scan([&](auto h, auto x) { return h + w * x; }, w, xs);
  return last + sum(ys);
};
const auto g = gradient(f)(0.5, std::vector<double>{1, 2});
