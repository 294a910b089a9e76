// expect: an operation lacks what it needs to be applied to so many operands
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
struct Scaled {
  std::string_view name = "scaled";
  double factor = 2;
  constexpr auto value(const auto& a) const { return factor * a; }
};
const double f = value([](auto a) { return apply<Scaled>(a); })(3.0);
