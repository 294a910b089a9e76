#include <tapeless/tapeless.hpp>

inline constexpr auto x = tapeless::variable<"x">;
inline constexpr auto y = tapeless::variable<"y">;

int main() {
  const auto g = gradient(x * stop_gradient(y))(x = 2.0, y = 3.0);
  return g[x] == 3.0 && g[y] == 0.0 ? 0 : 1;
}
