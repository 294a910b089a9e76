// ./dev fuzz --seed 2026-11-26 --program 32
// wrong: value 0.28629436111989054 instead of -1.1000000000000001 at () (tolerance 2.2e-12)
#include "../fuzz/harness.hpp"

#include <boost/test/unit_test.hpp>

using namespace tapeless;
using namespace fuzz;

BOOST_AUTO_TEST_CASE(seed_2026_11_26_program_32) {
  constexpr auto Y = variable<"Y">;
  constexpr auto a = variable<"a">;
  const auto f = sum(a - amax<0>(log_softmax<-1>(expand_dims<1>(a) * Y)));
  rows<double, 1> x_Y;
  x_Y.read({{1}, {0.7}});
  rows<double, 1> x_a;
  x_a.read({{2}, {-0.8, -0.3}});
  auto r = value(f)(Y = x_Y.get(), a = x_a.get());
  BOOST_TEST(close(r, {}, {-1.1}, 2.2e-12));
}
