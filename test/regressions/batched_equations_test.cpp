#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace tapeless;

// The lanes of a batch run as many steps as its slowest element. An element whose times are equal makes one step: each
// more would count its derivatives by them again.
namespace {

constexpr auto square_of = [](auto, auto y, auto k) { return k * y * y; };
constexpr auto end = [](auto y0, auto k, auto t0, auto t1) {
  return odeint<adaptive>(square_of, y0, t0, t1, k, 1e-10);
};
/// y(t1) = 1 / (1 / y0 - k (t1 - t0)), whose derivative by t1 is k y(t1)^2; after a pole there is none.
double slope(double y0, double k, double t0, double t1) {
  const double inverse = 1 / y0 - k * (t1 - t0);
  return inverse > 0 ? k / (inverse * inverse) : std::numeric_limits<double>::quiet_NaN();
}

void check(const std::vector<double>& y0, const std::vector<double>& k, const std::vector<double>& t0,
           const std::vector<double>& t1) {
  const auto [by_start, by_end] = batched(gradient(end, wrt<2, 3>))(y0, k, t0, t1);
  for (std::size_t i = 0; i < y0.size(); ++i) {
    const double expected = slope(y0[i], k[i], t0[i], t1[i]);
    BOOST_TEST_CONTEXT("element " << i) {
      BOOST_TEST(std::isnan(by_end[i]) == std::isnan(expected));
      if (std::isnan(expected)) continue;
      BOOST_TEST(by_end[i] == expected, boost::test_tools::tolerance(1e-7));
      BOOST_TEST(by_start[i] == -expected, boost::test_tools::tolerance(1e-7));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_times_beside_others) {
  check({0.1, 0.1, 0.1, 0.1}, {-1, -1, -1, -1}, {0.5, 0.5, 0.5, 0.5}, {1.5, 2.5, 9.5, 0.5});
}
BOOST_AUTO_TEST_CASE(equal_times_beside_a_pole) { check({0.8, 0.1}, {2, -1}, {0, 0.5}, {1, 0.5}); }
