// expect: and operations element by element, but no other operations of tensors
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <vector>

using namespace tapeless;
constexpr auto f = [](auto p, auto x) {
  return scan([&](auto c, auto e) { return c * p + e; }, 0.0, x) + sum(custom_gradient(sum(x), {{x, 2.0 * x}}));
};
auto call(const std::vector<double>& x) { return gradient(f)(1.0, x); }
