// Named steps cut the names of types: 200 steps that all use two earlier ones compile, where unnamed ones have names of
// exponential length.
#include <tapeless/tapeless.hpp>

#include <cstddef>

using namespace tapeless;

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

template <std::size_t N>
struct step;
template <std::size_t N>
constexpr auto definition() {
  if constexpr (N == 0)
    return x + y;
  else if constexpr (N == 1)
    return x * y;
  else
    return (step<N - 1>{} + step<N - 2>{}) * constant<1, 2>;
}
template <std::size_t N>
struct step : named<step<N>, decltype(definition<N>())> {};

// With a = x + y and b = x * y, averaging the last two steps tends to (a + 2 b) / 3.
constexpr double limit = (5.0 + 2 * 6.0) / 3;
constexpr auto result = value_and_gradient(step<200>{}, wrt(x, y))(x = 2.0, y = 3.0);
static_assert(result.value - limit < 1e-14 && limit - result.value < 1e-14);
static_assert(result.gradient[x] - 7.0 / 3 < 1e-14 && 7.0 / 3 - result.gradient[x] < 1e-14);
static_assert(result.gradient[y] - 5.0 / 3 < 1e-14 && 5.0 / 3 - result.gradient[y] < 1e-14);
