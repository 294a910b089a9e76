// Third derivatives of a product, by a verb inside: of elements that are zero, they came out as if the product had
// squares.
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>

#include <xtensor/xtensor.hpp>

BOOST_AUTO_TEST_CASE(third_derivatives_of_a_product_of_zeros) {
  using namespace tapeless;
  using vector = xt::xtensor<double, 1>;
  // The sum over i of w[i] d prod / d x[i].
  constexpr auto weighted = [](const auto& x, const auto& w) {
    return dot(w, gradient([](const auto& y) { return prod(y); })(x));
  };
  const vector w{0.75, -0.25, 1.5, 0.5};
  for (const vector& x : {vector{0, 0, 0, 2}, vector{0, 0, 3, 2}, vector{0, 4, 3, 2}, vector{0, 0, 0, 0}}) {
    const xt::xtensor<double, 2> h = hessian(weighted, wrt<0>)(x, w);
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k) {
        double wanted = 0;
        for (std::size_t i = 0; i < 4; ++i)
          if (i != j && i != k && j != k) wanted += w[i] * x[6 - i - j - k];
        BOOST_TEST(h(j, k) == wanted);
      }
  }
}

// Fourth derivatives would take a sum of cubes of the zeros: they are NaN, and not as if the product had cubes.
BOOST_AUTO_TEST_CASE(fourth_derivatives_of_a_product_of_zeros_are_not_made_up) {
  using namespace tapeless;
  using vector = xt::xtensor<double, 1>;
  static constexpr auto slope = [](const auto& x, const auto& w, const auto&) {
    return dot(w, gradient([](const auto& y) { return prod(y); })(x));
  };
  static constexpr auto second = [](const auto& x, const auto& w, const auto& v) {
    return dot(v, gradient(slope, wrt<0>)(x, w, v));
  };
  constexpr auto third = [](const auto& x, const auto& w, const auto& v) {
    return dot(v, gradient(second, wrt<0>)(x, w, v));
  };
  const vector last{0, 0, 0, 1}, first{1, 0, 0, 0};
  const auto along = [&](const vector& x) { return vector(gradient(third, wrt<0>)(x, last, first)); };
  BOOST_TEST(std::isnan(along({0, 0, 0, 2})(0)));
  BOOST_TEST(along({0, 0, 3, 2})(0) == 0.0);
  BOOST_TEST(along({4, 0, 3, 2})(0) == 0.0);
}
