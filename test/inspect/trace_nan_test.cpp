// Where infinities and NaN come from, over numbers and in loops.
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string printed(const nan_origin& origin) {
  std::ostringstream text;
  text << origin;
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(formulas) {
  const nan_origin root = trace_nan(value_and_gradient(sqrt(x) * y))(x = 0.0, y = 2.0);
  BOOST_TEST(root.output == "derivative by x");
  BOOST_TEST(root.expression == "0.5 / sqrt(x)");
  BOOST_TEST(root.value == std::numeric_limits<double>::infinity());
  BOOST_TEST(root.operands == "sqrt(x) = 0");
  BOOST_TEST(printed(root) == "derivative by x is not finite: 0.5 / sqrt(x) = inf, where sqrt(x) = 0");

  BOOST_TEST(printed(trace_nan(1 + 2.5 * log(x - y))(x = 1.0, y = 2.0)) ==
             "value is not finite: log(x - y) = nan, where x - y = -1");
  BOOST_TEST(printed(trace_nan(outputs(x, y / (x - 3.5)))(x = 3.5f, y = -1.0f)) ==
             "value 1 is not finite: y / (x - 3.5) = -inf, where y = -1, x - 3.5 = 0");
  BOOST_TEST(
      printed(trace_nan(hessian(pow(x, y), wrt(x)))(x = 0.0, y = 1.5)) ==
      "second derivative by x and by x is not finite: pow(x, (y - 1) - 1) = inf, where x = 0, (y - 1) - 1 = -0.5");
  // The sine and the cosine are computed at once.
  BOOST_TEST(printed(trace_nan(value_and_gradient(sin(1 / x)))(x = 0.0)) ==
             "value is not finite: 1 / x = inf, where x = 0");
}

BOOST_AUTO_TEST_CASE(what_does_not_matter) {
  const auto either = where(x > 0, log(x), x * y);
  BOOST_TEST(!trace_nan(value_and_gradient(either))(x = -1.0, y = 2.0).found());
  BOOST_TEST(printed(trace_nan(gradient(either))(x = -1.0, y = 2.0)) == "all results are finite");
  // The chosen branch is at fault, not the other, which is not finite either.
  BOOST_TEST(trace_nan(where(x > 0, log(x), sqrt(x)))(x = -1.0).expression == "sqrt(x)");
  BOOST_TEST(trace_nan(where(x < 0, log(x), sqrt(-x - 1)))(x = -1.0).expression == "log(x)");
  // An infinity on the way to a finite result is none of the ways to NaN.
  BOOST_TEST(trace_nan(1 / exp(x) + log(y))(x = 800.0, y = 0.0).expression == "log(y)");
}

BOOST_AUTO_TEST_CASE(what_is_given) {
  BOOST_TEST(printed(trace_nan(exp(x) / y)(x = not_a_number, y = 2.0)) == "value is not finite: x = nan");
  const auto f = [](auto p, auto q) { return log(p[0] - q) + p[1] / q; };
  BOOST_TEST(printed(trace_nan(value_and_gradient(f, wrt<0>))(std::array{1.0, not_a_number}, 0.5)) ==
             "value is not finite: argument 0[1] = nan");
}

BOOST_AUTO_TEST_CASE(functions) {
  const auto f = [](auto p, auto q) { return log(p[0] - q) + p[1]; };
  BOOST_TEST(printed(trace_nan(value(f))(std::array{1.0, 0.0}, 1.0)) ==
             "value is not finite: log(argument 0[0] - argument 1) = -inf, where argument 0[0] - argument 1 = 0");
  const auto several = [](auto a) { return std::array{a, 1 / (a - 1)}; };
  BOOST_TEST(trace_nan(jacobian(several))(1.0).found());
  BOOST_TEST(trace_nan(value(bind_back([](auto a, auto b) { return a / b; }, 0.0)))(1.0).expression ==
             "argument 0 / argument 1");
  const auto called = [](auto a) { return a * call([](auto c) { return 1 / c; }, a - 1); };
  BOOST_TEST(printed(trace_nan(value(called))(1.0)) ==
             "value is not finite: 1 / (argument 0 - 1) = inf, where (argument 0 - 1) = 0");
}

BOOST_AUTO_TEST_CASE(steps_of_loops) {
  const auto fall = [](auto p, auto xs) { return scan([&](auto c, auto e) { return c + log(e - p * c); }, 1.0, xs); };
  // The carries are 1, 1.41, 1.66: the third element is the first that is less than half.
  const nan_origin value_of = trace_nan(value(fall))(0.5, std::vector{2.0, 2.0, 0.5, 3.0});
  BOOST_TEST(value_of.expression == "log(argument 1 - carry 0 * argument 0)");
  BOOST_TEST(value_of.operands.ends_with(", step = 2"));
  // The loop of the derivative runs back.
  const auto root = [](auto p, auto xs) { return scan([&](auto c, auto e) { return c + sqrt(e - p * c); }, 1.0, xs); };
  const nan_origin back = trace_nan(value_and_gradient(root, wrt<0>))(0.0, std::vector{0.0, 2.0, 0.0, 3.0});
  BOOST_TEST(back.output == "derivative by argument 0");
  BOOST_TEST(back.operands.ends_with("= 0, step = 2"));
  BOOST_TEST(!trace_nan(value_and_gradient(root, wrt<0>))(0.0, std::vector{1.0, 2.0}).found());
  // What the loop starts from is at fault, not its first step.
  const auto start = [](auto p, auto xs) { return scan([](auto c, auto e) { return c + e; }, 1 / p, xs); };
  BOOST_TEST(trace_nan(value(start))(0.0, std::vector{1.0, 2.0}).expression == "1 / argument 0");
}
