// expect: a member of one, has a class type that is not a number
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <boost/hana/adapt_struct.hpp>

#include <string>

using namespace tapeless;
struct parameters {
  double a;
  std::string name;
};
BOOST_HANA_ADAPT_STRUCT(parameters, a, name);
const auto g = gradient([](auto p) { return p[&parameters::a]; })(parameters{1, "text"});
