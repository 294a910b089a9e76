// More axes than a machine word has bits: the steps of second derivatives of a Kalman filter have them.
#include <tapeless/lapack.hpp>
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace {

using namespace tapeless;
using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

// The squares of what is seen after it was expected, by their covariance.
constexpr auto likelihood = [](const auto& dynamics, const auto& looks, const auto& drift, const auto& noise,
                               const auto& mean, const auto& covariance, const auto& observed) {
  const auto step = [&](const auto& carry, const auto& y) {
    const auto& [m, p, total] = carry;
    const auto m_before = dot(dynamics, m);
    const auto p_before = dot(dot(dynamics, p), transpose(dynamics)) + drift, seen = dot(looks, p_before);
    const auto error = y - dot(looks, m_before), spread = dot(seen, transpose(looks)) + noise;
    const auto gain = transpose(solve(spread, seen));
    return std::tuple(m_before + dot(gain, error), p_before - dot(gain, seen),
                      total + 0.5 * dot(error, solve(spread, error)));
  };
  return std::get<2>(scan(step, std::tuple(mean, covariance, 0.0), observed));
};

template <std::size_t Rank>
auto sines(const std::array<std::size_t, Rank>& shape, double seed) {
  auto result = xt::xtensor<double, Rank>::from_shape(shape);
  double i = 0;
  for (double& e : result) e = std::sin(seed + 0.7 * i + 0.013 * seed * (i + 1)), ++i;
  return result;
}

BOOST_AUTO_TEST_CASE(second_derivatives_of_a_filter) {
  const matrix dynamics = sines<2>({3, 3}, 1), looks = sines<2>({2, 3}, 2), observed = sines<2>({6, 2}, 3);
  const matrix drift = xt::eye<double>(3), noise = xt::eye<double>(2);
  const matrix along =
      hvp(likelihood, wrt<0>, tangent(dynamics))(dynamics, looks, drift, noise, sines<1>({3}, 4), drift, observed);
  // jax.jvp of jax.grad, JAX 0.10.2 in float64.
  const double expected[] = {-0.18228736233936196, -0.10146098187213846, -0.58494634421402303,
                             0.49441532412817157,  -0.70120480582487277, -0.010706460523124892,
                             0.92051139262239023,  -0.9389564777749746,  0.54720925600542825};
  BOOST_TEST_REQUIRE(along.size() == 9u);
  for (std::size_t i = 0; i < 9; ++i) BOOST_TEST(along.data()[i] == expected[i], boost::test_tools::tolerance(1e-12));
}

}  // namespace
