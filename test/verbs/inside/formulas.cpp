#include "of_numbers.hpp"

namespace tapeless_test {
namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr auto formula = sin(x * y) + 0.5 * x;
constexpr auto several = outputs(sin(x * y) + 0.5 * x, x* x - cos(y));

struct of_formula {
  static constexpr const char* name = "formula";
  static constexpr auto one = [](auto a, auto b) { return formula(x = a, y = b); };
  static constexpr auto plain_one = tapeless_test::plain_one;
};
struct of_outputs {
  static constexpr const char* name = "outputs";
  static constexpr auto two = [](auto a, auto b) { return several(x = a, y = b); };
  static constexpr auto plain_two = tapeless_test::plain_two;
};

}  // namespace

BOOST_AUTO_TEST_CASE(formulas) {
  run_in_all<alone, of_formula>();
  run_in_all<alone, of_outputs>();
}
BOOST_AUTO_TEST_CASE(batched_formulas) {
  run_in_all<batch, of_formula>();
  run_in_all<batch, of_outputs>();
}

}  // namespace tapeless_test
