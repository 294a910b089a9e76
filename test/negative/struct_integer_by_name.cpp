// expect: reads a variable that has no value yet
// expect-at-most-lines: 12
#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

template <class T>
struct power_law {
  BOOST_HANA_DEFINE_STRUCT(power_law, (T, scale), (int, exponent));
};
const auto g = tapeless::gradient([](auto p) { return p.scale * p.exponent; })(power_law<double>{1, 2});
