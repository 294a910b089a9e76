// What functions over tensors give with their gradients: clang 16 wrote the whole result to address 0.
#include <boost/test/unit_test.hpp>
#include <tapeless/xtensor.hpp>

#include <complex>

using namespace tapeless;

namespace {

using matrix = xt::xtensor<double, 2>;
const matrix x{{1, 2, 3}, {4, 5, 6}};
constexpr auto squares = [](auto s) { return sum(s * s); };

BOOST_AUTO_TEST_CASE(value_and_gradient_of_a_tensor) {
  auto r = value_and_gradient(squares)(x);
  BOOST_TEST(r.value == 91);
  BOOST_TEST(r.gradient == 2 * x);
  value_and_gradient(squares)(into(r), matrix(2 * x));
  BOOST_TEST(r.value == 4 * 91);
  BOOST_TEST(r.gradient == 4 * x);
}

BOOST_AUTO_TEST_CASE(with_other_derivatives) {
  const auto [value, first, second] = value_and_hessian(squares)(xt::xtensor<double, 1>{3, 4});
  BOOST_TEST(value == 25);
  BOOST_TEST((first == xt::xtensor<double, 1>{6, 8}));
  BOOST_TEST((second == matrix{{2, 0}, {0, 2}}));
}

BOOST_AUTO_TEST_CASE(computed_apart) {
  const auto [value, by_floats] = value_and_gradient(squares)(xt::xtensor<float, 1>{3, 4});
  BOOST_TEST(value == 25);
  BOOST_TEST(by_floats(1) == 8);
  constexpr auto power = [](auto z) { return sum(real(z * conj(z))); };
  const auto [total, by_parts] = value_and_gradient(power)(xt::xtensor<std::complex<double>, 1>{{3, 4}, {0, 1}});
  BOOST_TEST(total == 26);
  BOOST_TEST((by_parts(0) == std::complex<double>(6, -8)));  // 2 conj(z)
}

}  // namespace
