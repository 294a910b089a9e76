// Third derivatives of a product, by a verb inside: of elements that are zero, they came out as if the product had
// squares.
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
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
