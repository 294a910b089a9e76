// expect: an operation lacks what it needs to be applied to so many operands
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
constexpr auto x = variable<"x">;

struct Square {
  static constexpr std::string_view name = "square";
  static constexpr rules partials{[](auto a, auto) { return 2_c * a; }};
};
const auto f = value_and_gradient(apply<Square>(x))(x = 3.0);
