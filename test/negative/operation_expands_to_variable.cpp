// expect: an operation expands to, or its rule, uses a variable of formulas
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

struct Scaled {
  static constexpr std::string_view name = "scaled";
  static constexpr auto expand = [](auto v) { return v * y; };
};

const auto f = value(apply<Scaled>(x))(x = 1.0);
