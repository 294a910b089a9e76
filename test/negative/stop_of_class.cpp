// expect: a struct needs BOOST_HANA_ADAPT_STRUCT
// expect-at-most-lines: 16
#include <tapeless/tapeless.hpp>

using namespace tapeless;
struct parameters {
  double a, b;
};
const auto stopped = stop_gradient(parameters{1, 2});
