// ./dev fuzz --seed 2026-12-03 --program 33: the second derivative of a product was NaN where the product and that of
// the roots of its elements are below the range of numbers.
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>

using namespace tapeless;

BOOST_AUTO_TEST_CASE(product_below_range) {
  constexpr auto x = variable<"x">;
  const xt::xtensor<double, 1> small{1e-200, -1e-200, 1e-200, 1e-250};
  const auto zero = hessian(prod(x), wrt(x))(x = small);
  const xt::xtensor<double, 1> mixed{1e-200, -1e-200, 1e200, 1e-150};
  const auto h = hessian(prod(x), wrt(x))(x = mixed);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      BOOST_TEST(zero(x, x)(i, j) == 0.0);
      // The product of the other two.
      double others = i == j ? 0 : 1;
      for (std::size_t k = 4; k-- > 0;)
        if (k != i && k != j) others *= mixed(k);
      BOOST_TEST(h(x, x)(i, j) == others, boost::test_tools::tolerance(1e-12));
    }
}
