// Program 2 of ./dev fuzz --seed 2: the path that where() does not choose has an infinite or undefined partial
// derivative, and was multiplied by the zero that left the loop.
#include "../fuzz/harness.hpp"

#include <boost/test/unit_test.hpp>

using namespace tapeless;
using namespace fuzz;

BOOST_AUTO_TEST_CASE(selection_in_scan) {
  constexpr auto f = [](auto a, auto b, auto x) {
    return scan([&](auto, auto x2) { return where(b > 0, sqrt(b), x2); }, a, x);
  };
  number<double> x_a;
  x_a.read({{}, {-0.7}});
  number<double> x_b;
  x_b.read({{}, {-0.8}});
  vector<double> x_x;
  x_x.read({{1}, {1.6}});
  auto r = gradient(f, wrt<1>)(x_a.get(), x_b.get(), x_x.get());
  BOOST_TEST(close(r, {}, {0}, 1e-14));
}
