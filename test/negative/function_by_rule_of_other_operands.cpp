// expect: a rule of an operation, or what it expands to, cannot be computed
// expect: rule_unusable, (Square|Kink)>
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
struct Square {
  static constexpr std::string_view name = "square";
  static constexpr auto value = [](const auto& a) { return a * a; };
  static constexpr rules partials{[](auto a, auto, auto) { return 2_c * a; }};
};
const double g = gradient([](auto a) { return apply<Square>(a); })(3.0);
