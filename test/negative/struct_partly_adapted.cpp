// expect: adapt every member
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <boost/hana/adapt_struct.hpp>

using namespace tapeless;
template <class T>
struct parameters {
  T a, b;
  int degree = 3;
};
BOOST_HANA_ADAPT_STRUCT(parameters<double>, a, b);
const auto g = gradient([](auto p) { return p.a * p.b * p.degree; })(parameters<double>{1, 2, 4});
