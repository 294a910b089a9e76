// expect: is run once, so it cannot change variables outside of it
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>
#include <vector>
using namespace tapeless;
constexpr auto h = [](auto a, auto xs) {
  auto best = a;
  const auto r = scan(
      [&](auto s, auto e) {
        best = max(best, e);
        return s + e;
      },
      0.0, xs);
  return r * best;
};
double v(double a, const std::vector<double>& xs) { return value(h)(a, xs); }
