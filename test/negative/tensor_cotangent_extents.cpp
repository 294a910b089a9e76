// expect: the cotangent of vjp must have the shape of the formula
// expect-at-most-lines: 14
#include <tapeless/xtensor.hpp>

constexpr auto a = tapeless::variable<"a">;

void call(const std::array<double, 3>& numbers, const std::array<double, 2>& u) {
  vjp(a * a, tapeless::wrt(a), tapeless::cotangent(u))(a = numbers);
}
