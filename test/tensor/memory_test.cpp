// What a call allocates, counted.
#include "../allocations.hpp"

#include <boost/test/unit_test.hpp>
#include <tapeless/xtensor.hpp>

#include <cstddef>

using namespace tapeless;

// Rows shorter than the lanes are not filled up: a row of two floats was one of sixteen with the widest lanes. The
// softmax of columns keeps its exponentials for the gradient, which is allocated too: twice the tensor.
BOOST_AUTO_TEST_CASE(buffers_of_short_rows) {
  constexpr auto X = variable<"X">;
  constexpr auto step = value_and_gradient(sum(square(softmax<0>(X))), wrt(X));
  for (const std::size_t columns : {1u, 2u, 3u, 20u}) {
    const xt::xtensor<float, 2> x = xt::ones<float>({std::size_t{10000}, columns});
    tapeless_test::allocated_bytes = 0;
    const auto r = step(X = x);
    BOOST_TEST(tapeless_test::allocated_bytes <= 3 * x.size() * sizeof(float) + 4096);
    BOOST_TEST(r.value == static_cast<float>(columns) / 10000, boost::test_tools::tolerance(1e-3f));
  }
}
