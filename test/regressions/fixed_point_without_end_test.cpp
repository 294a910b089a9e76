// The derivatives of a fixed point that is not reached were those of a linear function, which do not read where it is.
#include <boost/test/unit_test.hpp>
#include <tapeless/xtensor.hpp>

#include <array>
#include <cmath>

using namespace tapeless;

namespace {

constexpr auto number = [](auto k, auto b) {
  return fixed_point([](auto x, auto a, auto c) { return a * x + c; }, b, k, b);
};
constexpr auto pair = [](auto k, auto b) {
  const auto x = fixed_point([](auto v, auto a, auto c) { return std::array{a * v[0] + c, 0.5 * v[1] + c * c}; },
                             std::array{b, b}, k, b);
  return x[0] + x[1];
};
constexpr auto tensor = [](auto k, auto b) {
  return sum(fixed_point([](auto x, auto a, auto c) { return a * x + c; }, b, k, b));
};

BOOST_AUTO_TEST_CASE(no_derivative_is_finite) {
  const xt::xtensor<double, 1> b{1, 2};
  for (const double k : {2.0, 1.0, -1.0, -2.0}) {  // too far away, beyond all numbers, or from side to side
    BOOST_TEST(std::isnan(value(number)(k, 1.0)));
    BOOST_TEST(std::isnan(gradient(number, wrt<1>)(k, 1.0)));
    BOOST_TEST(std::isnan(value(pair)(k, 1.0)));
    BOOST_TEST(std::isnan(gradient(pair, wrt<1>)(k, 1.0)));
    BOOST_TEST(std::isnan(value(tensor)(k, b)));
    const xt::xtensor<double, 1> slopes = gradient(tensor, wrt<1>)(k, b);
    BOOST_TEST((std::isnan(slopes(0)) && std::isnan(slopes(1))));
  }
}

BOOST_AUTO_TEST_CASE(where_it_ends_they_are_those_of_the_solution) {
  // b / (1 - k)
  const auto [value, slopes] = value_and_gradient(number)(0.5, 3.0);
  BOOST_TEST(value == 6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::get<0>(slopes) == 12, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::get<1>(slopes) == 2, boost::test_tools::tolerance(1e-12));
  const auto [total, all] = value_and_gradient(tensor)(0.5, xt::xtensor<double, 1>{1, 2});
  BOOST_TEST(total == 6, boost::test_tools::tolerance(1e-11));
  BOOST_TEST(std::get<0>(all) == 12, boost::test_tools::tolerance(1e-11));
  for (const double slope : std::get<1>(all)) BOOST_TEST(slope == 2, boost::test_tools::tolerance(1e-11));
}

}  // namespace
