// expect: adapt the data members
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <boost/hana/adapt_adt.hpp>

using namespace tapeless;
struct angle {
  double radians;
  double degrees() const { return radians * 57; }
};
BOOST_HANA_ADAPT_ADT(angle, (degrees, [](const auto& a) { return a.degrees(); }));
const auto g = gradient([](auto p) { return p; })(angle{1});
