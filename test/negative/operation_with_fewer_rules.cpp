// expect: an operation lacks what it needs to be applied to so many operands
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

struct Product {
  static constexpr std::string_view name = "product";
  static constexpr auto value = [](const auto& a, const auto& b) { return a * b; };
  static constexpr rules partials{[](auto, auto b, auto) { return b; }};
};
const auto g = gradient(apply<Product>(x, y), wrt(x))(x = 3.0, y = 2.0);
