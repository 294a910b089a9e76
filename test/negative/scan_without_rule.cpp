// expect: an operation without a derivative rule is differentiated
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <string_view>

using namespace tapeless;
struct Odd {
  static constexpr std::string_view name = "odd";
  static constexpr auto value = [](auto x) { return x * x * x; };
};
constexpr auto power = [](auto p, auto n) {
  return scan([&](auto c, auto) { return apply<Odd>(c) * p; }, 1.0, steps(n));
};
double slope(double p, int n) { return gradient(power, wrt<0>)(p, n); }
