// ./dev fuzz --seed 99 --program 124: a loop over tensors runs over what another loop put out at its steps, the numbers
// of these steps. They lie in memory where a loop or another move of elements reads them; verify took them to lie in
// none.
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

using namespace tapeless;
using row = xt::xtensor<double, 1>;

BOOST_AUTO_TEST_CASE(numbers_of_steps_are_scanned) {
  const auto f = [](auto x, auto Y, auto n) {
    const auto u = scan([](auto c, auto k) { return std::pair(k + c, k); }, x, steps(n));
    return u.first + sum(scan([](auto c, auto y) { return tanh(y * c); }, u.second, Y));
  };
  const xt::xtensor<double, 2> ys{{0.5, -0.25, 1.5, 0.75}, {1.25, 2, -0.5, 0.125}, {-1, 0.375, 0.875, -2}};
  for (const std::size_t n : {0u, 1u, 4u}) {
    const xt::xtensor<double, 2> y = xt::view(ys, xt::all(), xt::range(0, n));
    double value = 0.3 + static_cast<double>(n * (n + 1)) / 2 - static_cast<double>(n);
    xt::xtensor<double, 2> by = xt::zeros_like(y);
    for (std::size_t i = 0; i < n; ++i) {
      double c[4]{static_cast<double>(i)}, adjoint = 1;
      for (std::size_t t = 0; t < 3; ++t) c[t + 1] = std::tanh(y(t, i) * c[t]);
      for (std::size_t t = 3; t-- > 0;) {
        adjoint *= 1 - c[t + 1] * c[t + 1];
        by(t, i) = adjoint * c[t];
        adjoint *= y(t, i);
      }
      value += c[3];
    }
    const auto found = value_and_gradient(f, wrt<0, 1>)(0.3, y, static_cast<int>(n));
    BOOST_TEST(found.value == value, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(std::get<0>(found.gradient) == 1);
    for (std::size_t i = 0; i < by.size(); ++i)
      BOOST_TEST(std::get<1>(found.gradient).data()[i] == by.data()[i], boost::test_tools::tolerance(1e-13));
  }
}

// Rows taken by the numbers of steps, and these numbers reversed.
BOOST_AUTO_TEST_CASE(numbers_of_steps_are_moved) {
  const auto f = [](auto x, auto w, auto n) {
    const auto k = scan([](auto c, auto i) { return std::pair(c, i); }, x, steps(n)).second;
    return x * sum(flip<0>(k) * take(w, k));
  };
  const row w{1, 2, 4};
  const auto found = value_and_gradient(f, wrt<0, 1>)(2.0, w, 3);
  BOOST_TEST(found.value == 2 * (2 * 1 + 1 * 2));
  BOOST_TEST(std::get<0>(found.gradient) == 4);
  BOOST_TEST(std::get<1>(found.gradient) == (row{4, 2, 0}));
}
