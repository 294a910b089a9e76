// Where infinities and NaN come from, over tensors.
#include <tapeless/xtensor.hpp>

#include <boost/test/unit_test.hpp>

#include <sstream>
#include <string>
#include <vector>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto w = variable<"w">;

std::string printed(const nan_origin& origin) {
  std::ostringstream text;
  text << origin;
  return text.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(elements) {
  const std::vector<double> xs{1, 4, 0, 2};
  BOOST_TEST(printed(trace_nan(value_and_gradient(sum(sqrt(x) * w), wrt(x, w)))(x = xs, w = 2.0)) ==
             "derivative by x is not finite: (0.5 / sqrt(x))[2] = inf, where sqrt(x)[2] = 0");
  const auto guarded = where(x > 0, log(x), 0);
  BOOST_TEST(!trace_nan(value_and_gradient(sum(guarded * w), wrt(x, w)))(x = xs, w = 2.0).found());
  // A branch that is somewhere not chosen and infinite there is not at fault where all that is chosen is finite.
  const nan_origin origin = trace_nan(sum(guarded / (x - w)))(x = xs, w = 2.0);
  BOOST_TEST(origin.expression == "(where(0 < x, log(x), 0) / (x - w))[3]");
  BOOST_TEST(origin.operands.ends_with("(x - w)[3] = 0"));
}

BOOST_AUTO_TEST_CASE(sums_and_functions) {
  const xt::xtensor<double, 2> m{{1, 2}, {3, 4}, {0, 5}};
  const std::vector<double> v{5, 0};
  BOOST_TEST(printed(trace_nan(sum(log(dot(x, w))))(x = m, w = v)) ==
             "value 0 is not finite: log(sum(x * w))[2] = -inf, where sum(x * w)[2] = 0");
  const auto f = [](const auto& p, const auto& q) { return sum(q / dot(p, q)); };
  BOOST_TEST(trace_nan(value(f))(xt::xtensor<double, 2>{{1, 2}, {0, 0}}, std::vector{1.0, 2.0}).found());
  BOOST_TEST(!trace_nan(gradient(f, wrt<1>))(xt::xtensor<double, 2>{{1, 2}, {3, 1}}, std::vector{1.0, 2.0}).found());
}
