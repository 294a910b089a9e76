#include <tapeless/xtensor.hpp>

#include <xtensor/xtensor.hpp>

inline constexpr auto x = tapeless::variable<"x">;
inline constexpr auto w = tapeless::variable<"w">;

int main() {
  const xt::xtensor<double, 1> data{1.0, 2.0, 3.0};
  const auto g = gradient(sum(square(x * w)), wrt(w))(x = data, w = 2.0);
  return g[w] == 56.0 ? 0 : 1;
}
