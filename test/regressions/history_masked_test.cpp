// ./dev fuzz --seed 2026-12-08 --program 107: the loop that masks a history of tangents counts its steps by the
// history's length, which verify refused.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <utility>

using namespace tapeless;

BOOST_AUTO_TEST_CASE(history_masked_where_a_call_is_the_carry) {
  const auto f = [](auto a, auto n) {
    const auto first = call([](auto, auto v) { return sigmoid(v); }, a, a);
    return scan([](auto c, auto) { return std::pair{sqrt(c), 1.0}; }, first, steps(n)).first;
  };
  // With n steps f is s^p, where p = 2^-n and s is the sigmoid.
  for (const int n : {0, 1, 3, 5}) {
    const double a = 0.7, p = std::pow(0.5, n), s = 1 / (1 + std::exp(-a)), q = 1 - s;
    BOOST_TEST(hessian(f, wrt<0>)(a, n)[0][0] == std::pow(s, p) * (p * p * q * q - p * s * q),
               boost::test_tools::tolerance(1e-14));
  }
}
