// The value of gradient surgery was repeated for each element of a partial derivative of another shape.
#include <boost/test/unit_test.hpp>
#include <tapeless/xtensor.hpp>

#include <stdexcept>

using namespace tapeless;

namespace {

using row = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;
const matrix x{{1, 2, 3}, {4, 5, 6}};

constexpr auto replaced = [](const auto& v, const auto& by) { return sum(custom_gradient(v, {{by, 2.0 * by}})); };
constexpr auto of_sums = [](const auto& v) { return sum(custom_gradient(sum<1>(v, keep_dims), {{v, 2.0 * v}})); };
constexpr auto scaled = [](const auto& v, const auto& k) { return sum(grad_scale(v, k)); };
constexpr auto clipped = [](const auto& v, const auto& most) { return sum(grad_clip(v, -most, most)); };

BOOST_AUTO_TEST_CASE(what_repeats_the_value_throws) {
  BOOST_CHECK_THROW(value(of_sums)(x), std::invalid_argument);
  for (const matrix& small : {matrix{{1, 2, 3}}, matrix{{1}, {2}}}) {
    BOOST_CHECK_THROW(value(replaced)(small, x), std::invalid_argument);
    BOOST_CHECK_THROW(gradient(replaced)(small, x), std::invalid_argument);
    BOOST_CHECK_THROW(gradient(scaled, wrt<0>)(small, x), std::invalid_argument);
    BOOST_CHECK_THROW(gradient(clipped, wrt<0>)(small, x), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(what_is_repeated_for_the_value_adds_up) {
  const auto [value, slopes] = value_and_gradient(replaced)(x, row{1, 2, 3});
  BOOST_TEST(value == 21);
  BOOST_TEST((std::get<1>(slopes) == row{4, 8, 12}));  // two rows
  BOOST_TEST((gradient(replaced, wrt<1>)(x, matrix{{1}, {2}}) == matrix{{6}, {12}}));
  BOOST_TEST((gradient(scaled, wrt<0>)(x, row{1, 2, 3}) == matrix{{1, 2, 3}, {1, 2, 3}}));
  BOOST_TEST((gradient(clipped, wrt<0>)(x, row{0.5, 2, 0.25}) == matrix{{0.5, 1, 0.25}, {0.5, 1, 0.25}}));
  BOOST_TEST(tapeless::value(of_sums)(matrix{{1}, {2}}) == 3);
}

BOOST_AUTO_TEST_CASE(the_axis_of_a_batch_is_none_of_the_value) {
  constexpr auto product = [](const auto& w, const auto& v) {
    return sum(custom_gradient(w * w, {{w, w * v}, {v, 2.0 * w}}));
  };
  const auto r = batched(value_and_gradient(product))(row{1, 2, 3}, each(x));
  BOOST_TEST((r.value == row{14, 14}));
  BOOST_TEST((std::get<0>(r.gradient) == matrix{{1, 4, 9}, {4, 10, 18}}));
  BOOST_TEST((std::get<1>(r.gradient) == matrix{{2, 4, 6}, {2, 4, 6}}));
}

}  // namespace
