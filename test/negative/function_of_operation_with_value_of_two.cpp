// expect: an operation lacks what it needs to be applied to so many operands
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
struct Square {
  static constexpr std::string_view name = "square";
  static constexpr auto value = [](const auto& a, const auto& b) { return a * b; };
  static constexpr rules partials{[](auto a, auto) { return 2_c * a; }};
};
const double g = gradient([](auto a) { return apply<Square>(a); })(3.0);
