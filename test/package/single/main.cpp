#include <tapeless.hpp>

#include <vector>

inline constexpr auto x = tapeless::variable<"x">;
inline constexpr auto y = tapeless::variable<"y">;
inline constexpr auto f = x * tapeless::stop_gradient(y) + tapeless::sin(x);

double slope_in_other_unit(double at);

int main() {
  const auto g = gradient(f)(x = 0.0, y = 3.0);
  const auto sum_of_squares = [](auto a, auto data) {
    return tapeless::scan([&](auto sum, auto d) { return sum + tapeless::square(a - d); }, 0.0, data);
  };
  const double by_scan = tapeless::gradient(sum_of_squares, tapeless::wrt<0>)(2.0, std::vector{0.0, 1.0});
  return g[x] == 4.0 && g[y] == 0.0 && by_scan == 6.0 && slope_in_other_unit(0.0) == 4.0 && TAPELESS_VERSION > 0 ? 0
                                                                                                                 : 1;
}
