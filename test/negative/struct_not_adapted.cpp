// expect: BOOST_HANA_ADAPT_STRUCT
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
struct parameters {
  double a, b;
  constexpr parameters(double first, double second) : a(first), b(second) {}
};
const auto g = gradient([](auto p) { return p.a * p.b; })(parameters{1, 2});
