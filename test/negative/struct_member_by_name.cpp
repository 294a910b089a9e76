// expect: read a struct
// expect-at-most-lines: 40
#include <tapeless/tapeless.hpp>

#include <boost/hana/adapt_struct.hpp>

using namespace tapeless;
struct parameters {
  double a, b;
};
BOOST_HANA_ADAPT_STRUCT(parameters, a, b);
const auto g = gradient([](auto p) { return p.a; })(parameters{1, 2});
