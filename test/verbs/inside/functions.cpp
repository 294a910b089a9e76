#include "of_numbers.hpp"

namespace tapeless_test {
namespace {

struct of_function {
  static constexpr const char* name = "function";
  static constexpr auto one = [](auto a, auto b) { return sin(a * b) + 0.5 * a; };
  static constexpr auto two = [](auto a, auto b) { return std::array{sin(a * b) + 0.5 * a, a * a - cos(b)}; };
  static constexpr auto plain_one = tapeless_test::plain_one;
  static constexpr auto plain_two = tapeless_test::plain_two;
};

}  // namespace

BOOST_AUTO_TEST_CASE(functions) {
  run_in_all<alone, of_function>();
  run_in_all<batch, of_function>();
  run_in<batch_of_each, as_it_is, of_function>();
}

}  // namespace tapeless_test
