// expect: a rule of an operation, or what it expands to, cannot be computed
// expect: rule_unusable, (Square|Kink)>
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
constexpr auto x = variable<"x">;

struct Square {
  static constexpr std::string_view name = "square";
  static constexpr auto value = [](const auto& a) { return a * a; };
  static constexpr rules partials{[](auto a) { return 2_c * a; }};
};
const auto g = gradient(apply<Square>(x))(x = 3.0);
