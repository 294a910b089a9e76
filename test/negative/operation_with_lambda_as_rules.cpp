// expect: an operation lacks what it needs to be applied to so many operands
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
constexpr auto x = variable<"x">;

struct Square {
  static constexpr std::string_view name = "square";
  static constexpr auto value = [](const auto& a) { return a * a; };
  static constexpr auto partials = [](auto a, auto) { return 2_c * a; };
};
const auto g = gradient(apply<Square>(x))(x = 3.0);
