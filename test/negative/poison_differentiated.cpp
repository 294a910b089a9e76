// expect: poison is differentiated
// expect-at-most-lines: 42
#include <tapeless/tapeless.hpp>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

struct Poison {
  static constexpr std::string_view name = "poison";
  static constexpr auto value = [](auto v) { return v; };
  static constexpr rules partials{[](auto v, auto) {
    static_assert(sizeof(v) == 0, "poison is differentiated");
    return v;
  }};
};
const auto g = gradient(apply<Poison>(x) + stop_gradient(apply<Poison>(y)))(x = 1.0, y = 1.0);
