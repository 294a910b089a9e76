// expect: a rule of an operation, or what it expands to, cannot be computed
// expect: rule_unusable, (Square|Kink)>
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
struct Kink {
  static constexpr std::string_view name = "kink";
  static constexpr auto value = [](const auto& a) { return a * a; };
  static constexpr rules partials{[](auto a, auto) {
    if (a > 0) return 2_c * a;
    return 1_c * a;
  }};
};
const double g = gradient([](auto a) { return apply<Kink>(a); })(3.0);
