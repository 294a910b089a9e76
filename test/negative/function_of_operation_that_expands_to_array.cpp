// expect: a rule of an operation, or what it expands to, cannot be computed
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <array>
#include <string_view>

using namespace tapeless;
struct Twice {
  static constexpr std::string_view name = "twice";
  static constexpr auto expand = [](auto a) { return std::array{a, a}; };
};
const double f = value([](auto a) { return apply<Twice>(a); })(3.0);
