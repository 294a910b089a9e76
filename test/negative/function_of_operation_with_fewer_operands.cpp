// expect: an operation lacks what it needs to be applied to so many operands
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
struct Product {
  static constexpr std::string_view name = "product";
  static constexpr auto value = [](const auto& a, const auto& b) { return a * b; };
  static constexpr rules partials{[](auto, auto b, auto) { return b; }, [](auto a, auto, auto) { return a; }};
};
const double g = gradient([](auto a) { return apply<Product>(a); })(3.0);
