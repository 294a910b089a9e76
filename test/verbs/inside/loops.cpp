#include "of_numbers.hpp"

namespace tapeless_test {
namespace {

struct of_scan {
  static constexpr const char* name = "function with a scan";
  static constexpr auto one = [](auto a, auto b) {
    return scan([&](auto c, auto) { return sin(c * b) + 0.5 * c; }, a, steps(2));
  };
  static constexpr auto two = [](auto a, auto b) {
    return scan([](auto c, auto) { return std::array{sin(c[0] * c[1]) + 0.5 * c[0], c[0] * c[0] - cos(c[1])}; },
                std::array{a, b}, steps(2));
  };
  static constexpr auto plain_one = [](const auto& a, const auto& b) {
    return tapeless_test::plain_one(tapeless_test::plain_one(a, b), b);
  };
  static constexpr auto plain_two = [](const auto& a, const auto& b) {
    const auto c = tapeless_test::plain_two(a, b);
    return tapeless_test::plain_two(c[0], c[1]);
  };
};

}  // namespace

BOOST_AUTO_TEST_CASE(loops) {
  run_in_all<alone, of_scan>();
  run_in<batch_of_each, as_it_is, of_scan>();
}
BOOST_AUTO_TEST_CASE(batched_loops) { run_in_all<batch, of_scan>(); }

}  // namespace tapeless_test
