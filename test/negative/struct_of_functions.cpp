// expect: adapt the data members
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <boost/hana/adapt_adt.hpp>

using namespace tapeless;
class angle {
  double radians;

 public:
  constexpr explicit angle(double r) : radians(r) {}
  double degrees() const { return radians * 57; }
};
BOOST_HANA_ADAPT_ADT(angle, (degrees, [](const auto& a) { return a.degrees(); }));
const auto g = gradient([](auto p) { return p; })(angle{1});
