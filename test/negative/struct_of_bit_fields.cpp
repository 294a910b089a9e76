// A reference to const would bind to a copy of a bit-field, which is gone when its value is read.
// expect: has a class type that is not a number; adapt the data members of a struct
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

using namespace tapeless;
struct option {
  double strike;
  unsigned kind : 3;
};
constexpr auto f = [](auto p, auto x) { return p[&option::strike] * x; };
double slope(const option& p, double x) { return gradient(f, wrt<1>)(p, x); }
