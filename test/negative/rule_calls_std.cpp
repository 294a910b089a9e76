// expect: a rule of an operation, or what it expands to, cannot be computed
// expect: at<tapeless::program::fault::rule_unusable, Cube>
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <string_view>

using namespace tapeless;
constexpr auto x = variable<"x">;

struct Cube {
  static constexpr std::string_view name = "cube";
  static constexpr auto value = [](const auto& a) { return a * a * a; };
  static constexpr rules partials{[](auto a, auto) { return 3 * std::pow(a, 2.0); }};
};
const auto g = gradient(apply<Cube>(sin(x)))(x = 3.0);
