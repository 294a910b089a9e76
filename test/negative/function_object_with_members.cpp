// expect: make a function object with members a class template over its number type
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;

struct F {
  double k;
  template <class T>
  constexpr T operator()(T u) const {
    return k * u * u;
  }
};
const auto r = gradient(F{2.0})(1.0);
