#ifndef TAPELESS_TEST_ORACLE_FUNCTIONS_HPP
#define TAPELESS_TEST_ORACLE_FUNCTIONS_HPP

#include "check.hpp"

#include <boost/hana/define_struct.hpp>

#include <optional>

namespace oracle {

struct layer {
  BOOST_HANA_DEFINE_STRUCT(layer, (tensor<2>, weights), (tensor<1>, bias));
};
struct parameters {
  BOOST_HANA_DEFINE_STRUCT(parameters, (layer, hidden), (std::vector<double>, by_row), (double, scale));
};

/// What generate_functions.py expects of one call: four sums of each part of the gradient and of the Hessian times a
/// direction.
struct expected_call {
  std::size_t rows, inputs, units;
  std::vector<int> indices;
  double value;
  std::array<std::array<double, 4>, 5> gradient, product;
};

inline auto draw_arguments(numbers& draw, const expected_call& call) {
  layer hidden{draw.between<tensor<2>>(-1, 1, {call.inputs, call.units}), draw.between<tensor<1>>(-1, 1, {call.units})};
  auto by_row = draw.between<std::vector<double>>(-1, 1, {call.rows});
  const auto scale = draw.between<double>(-1, 1);
  return std::pair{parameters{hidden, by_row, scale}, draw.between<tensor<2>>(-1, 1, {call.rows, call.inputs})};
}

inline void check_parts(const char* what, const parameters& p, const tensor<2>& x,
                        const std::array<std::array<double, 4>, 5>& expected) {
  check_sums(what, p.hidden.weights, expected[0]);
  check_sums(what, p.hidden.bias, expected[1]);
  check_sums(what, p.by_row, expected[2]);
  check_sums(what, p.scale, expected[3]);
  check_sums(what, x, expected[4]);
}

/// Calls of one function with tensors of several extents, which go into one result.
template <class F>
void check_function(unsigned number, const F& f, const std::vector<expected_call>& calls) {
  const auto step = value_and_gradient(f, wrt<0, 1>);
  std::optional<decltype(step(parameters{}, tensor<2>{}, std::vector<int>{}, 0))> r;
  for (unsigned call = 0; const expected_call& expected : calls) {
    numbers draw(1000 * number + call++);
    const auto [p, x] = draw_arguments(draw, expected);
    const auto [dp, dx] = draw_arguments(draw, expected);
    const int half = static_cast<int>(expected.rows) / 2;
    if (!r)
      r = step(p, x, expected.indices, half);
    else
      step(into(*r), p, x, expected.indices, half);
    check_value(r->value, expected.value);
    check_parts("gradient", std::get<0>(r->gradient), std::get<1>(r->gradient), expected.gradient);
    const auto product = hvp(f, wrt<0, 1>, tangent(dp, dx))(p, x, expected.indices, half);
    check_parts("product", std::get<0>(product), std::get<1>(product), expected.product);
  }
}

}  // namespace oracle

#endif
