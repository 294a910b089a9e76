// expect: gradient takes a formula and variables
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

struct S {
  double h(double u) const { return u * u; }
};
const auto r = gradient(&S::h)(1.0);
