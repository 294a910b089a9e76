// A vector of records in a tuple or a struct: the call read a reference to a column that was gone, and crashed.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <tuple>
#include <vector>

using namespace tapeless;

BOOST_AUTO_TEST_CASE(records_in_tuple) {
  constexpr auto f = [](auto p) {
    const auto& [a, xs] = p;
    return scan([](auto s, auto x) { return s + x[0] * x[1]; }, a, xs);
  };
  const std::tuple<double, std::vector<std::array<double, 2>>> p{2.0, {{1, 2}, {3, 4}}};
  BOOST_TEST(value(f)(p) == 16.0);
  const auto [by_a, by_xs] = gradient(f, wrt<0>)(p);
  BOOST_TEST(by_a == 1.0);
  BOOST_TEST((by_xs == std::vector<std::array<double, 2>>{{2, 1}, {4, 3}}));
}
