// What printing gives, to the letter; reports of check_gradient.
#include <tapeless/operation/probability/normal_distribution.hpp>
#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

template <class T>
std::string printed(const T& object) {
  std::ostringstream stream;
  stream << object;
  return stream.str();
}

struct average : named<average, decltype((x + y) / 2_c)> {};

}  // namespace

BOOST_AUTO_TEST_CASE(as_text) {
  BOOST_TEST(text((x + 1) * sin(-x) / (y - (x - 2.5))) == "(x + 1) * sin(-x) / (y - (x - 2.5))");
  BOOST_TEST(text(x - (y - x) - y) == "x - (y - x) - y");
  BOOST_TEST(text(x / (y * x) / y) == "x / (y * x) / y");
  BOOST_TEST(text(-(x + y) * -x) == "(-(x + y)) * (-x)");
  BOOST_TEST(text(pow(x, 2_c) + hypot(x, y) * max(x, y, 0.5)) == "pow(x, 2) + hypot(x, y) * max(x, y, 0.5)");
  BOOST_TEST(text(x * -2_c + constant<-1, 3>) == "x * (-2) + (-1/3)");
  BOOST_TEST(text(x * -2.5) == "x * (-2.5)");
  BOOST_TEST(text(stop_gradient<"target">(x) * constant<1, 3>) == "stop_gradient<\"target\">(x) * (1/3)");
  BOOST_TEST(text(where(x < 1 || !(y > 2), x, -y)) == "where(x < 1 || not(y > 2), x, -y)");
  BOOST_TEST(text(average{} * x) == "(x + y) / 2 * x");
  BOOST_TEST(text(derivative(x * sin(x) + stop_gradient(x), x)) == "sin(x) + cos(x) * x");
  BOOST_TEST(text(derivative(stop_gradient(x), x)) == "0");
  // A generic function applied to variables is a formula.
  constexpr auto f = [](auto a, auto b) { return a * exp(-b); };
  BOOST_TEST(text(f(x, y)) == "x * exp(-y)");
}

BOOST_AUTO_TEST_CASE(as_latex) {
  BOOST_TEST(latex(exp(-x) / sqrt(variable<"sigma1">)) == "\\frac{e^{-x}}{\\sqrt{\\sigma_{1}}}");
  BOOST_TEST(latex(square(x + y) * constant<-1, 3>) == "\\left(x + y\\right)^{2} \\, \\left(-\\frac{1}{3}\\right)");
  BOOST_TEST(latex(variable<"rate_of_loss"> * abs(x)) == "\\mathrm{rate\\_of\\_loss} \\, \\left|x\\right|");
  BOOST_TEST(latex(derivative(log2(x), x)) == "\\frac{1}{x \\, \\ln 2}");
  BOOST_TEST(latex(derivative(erf(x), x)) == "\\frac{2}{\\sqrt{\\pi}} \\, e^{-\\left(x \\, x\\right)}");
  BOOST_TEST(latex(normal_cdf(x)) == "\\operatorname{normal\\_cdf}\\left(x\\right)");
  // TeX takes one exponent, and what is no base alone stands in parentheses.
  BOOST_TEST(latex(pow(pow(x, y), y)) == "\\left(x^{y}\\right)^{y}");
  BOOST_TEST(latex(square(square(x))) == "\\left(x^{2}\\right)^{2}");
  BOOST_TEST(latex(square(exp(x))) == "\\left(e^{x}\\right)^{2}");
  BOOST_TEST(latex(square(x / y)) == "\\left(\\frac{x}{y}\\right)^{2}");
  BOOST_TEST(latex(pow(constant<1, 3>, x)) == "\\left(\\frac{1}{3}\\right)^{x}");
  BOOST_TEST(latex(constant<1, 3> * x) == "\\frac{1}{3} \\, x");
  BOOST_TEST(latex(pow(sqrt(x), abs(y))) == "\\sqrt{x}^{\\left|y\\right|}");
  BOOST_TEST(latex(square(where(x < y, x, y))) ==
             "\\left(\\begin{cases}x & \\text{if } x < y \\\\ y & \\text{else}\\end{cases}\\right)^{2}");
  BOOST_TEST(latex(1e-30 * x) == "1 \\cdot 10^{-30} \\, x");
  BOOST_TEST(latex(pow(2.5e+120, x)) == "\\left(2.5 \\cdot 10^{120}\\right)^{x}");
  BOOST_TEST(latex(x * -2.5e-7) == "x \\, \\left(-2.5 \\cdot 10^{-7}\\right)");
  BOOST_TEST(latex(true * x) == "\\text{true} \\, x");
  BOOST_TEST(latex(where(x > 0, true, false)) ==
             "\\begin{cases}\\text{true} & \\text{if } x > 0 \\\\ \\text{false} & \\text{else}\\end{cases}");
  constexpr double inf = std::numeric_limits<double>::infinity();
  BOOST_TEST(latex(x * -inf + inf) == "x \\, \\left(-\\infty\\right) + \\infty");
  BOOST_TEST(latex(x + std::numeric_limits<float>::quiet_NaN()) == "x + \\text{NaN}");
  BOOST_TEST(latex(variable<"50%"> * variable<"a&b">) == "\\mathrm{50\\%} \\, \\mathrm{a\\&b}");
  BOOST_TEST(latex(variable<"x_1"> + variable<"sigma_10">) == "x_{1} + \\sigma_{10}");
  BOOST_TEST(
      latex(stop_gradient<"t_1">(x) * where(x < y, pow(x, 3_c), -y)) ==
      "\\operatorname{stop}_{\\mathrm{t\\_1}}\\left(x\\right) \\, \\begin{cases}x^{3} & \\text{if } x < y \\\\ -y & "
      "\\text{else}\\end{cases}");
}

BOOST_AUTO_TEST_CASE(as_graph) {
  // The stop is a cut; the sine behind it, and y, are dead.
  BOOST_TEST(dot(x * stop_gradient(sin(y)) + constant<1, 3>) == R"(digraph formula {
  rankdir=BT;
  node [shape=box, style=rounded];
  n0 [label="x"];
  n1 [label="y", color=grey, fontcolor=grey];
  n2 [label="sin", color=grey, fontcolor=grey];
  n1 -> n2 [color=grey];
  n3 [label="stop_gradient", shape=octagon, color=red];
  n2 -> n3 [style=dashed, color=red];
  n4 [label="multiply"];
  n0 -> n4;
  n3 -> n4 [color=grey];
  n5 [label="1/3", color=grey, fontcolor=grey];
  n6 [label="add"];
  n4 -> n6;
  n5 -> n6 [color=grey];
}
)");
  // Outputs share a node; a stop without a use of its operand elsewhere; numbers.
  BOOST_TEST(dot(outputs(x * 2.5, stop_gradient(x))) == R"(digraph formula {
  rankdir=BT;
  node [shape=box, style=rounded];
  n0 [label="x"];
  n1 [label="2.5", color=grey, fontcolor=grey];
  n2 [label="multiply"];
  n0 -> n2;
  n1 -> n2 [color=grey];
  n3 [label="stop_gradient", shape=octagon, color=red];
  n0 -> n3 [style=dashed, color=red];
}
)");
  BOOST_TEST((dot<double, std::array<double, 2>>([](auto a, auto v) { return a * stop_gradient(v[1]); })) ==
             R"(digraph formula {
  rankdir=BT;
  node [shape=box, style=rounded];
  n0 [label="argument 0"];
  n1 [label="argument 1[0]", color=grey, fontcolor=grey];
  n2 [label="argument 1[1]", color=grey, fontcolor=grey];
  n3 [label="stop_gradient", shape=octagon, color=red];
  n2 -> n3 [style=dashed, color=red];
  n4 [label="multiply"];
  n0 -> n4;
  n3 -> n4 [color=grey];
}
)");
  BOOST_TEST(dot(variable<"a \"quoted\" name">).find("label=\"a \\\"quoted\\\" name\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(into_streams) {
  std::ostringstream stream;
  text(stream, x + y);
  latex(stream << "; ", x * y);
  dot(stream << "; ", x);
  stream << "; " << x * y;
  BOOST_TEST(stream.str() == "x + y; x \\, y; " + dot(x) + "; x * y");
  BOOST_TEST(printed(cost(x * y + x)) == "additions 1, multiplications 1");
  BOOST_TEST(printed(cost(where(x < y, -exp(x), x / y))) ==
             "divisions 1, negations 1, comparisons 1, selections 1, functions 1");
  BOOST_TEST(printed(cost(stop_gradient(x))) == "no operations");
}

BOOST_AUTO_TEST_CASE(checks) {
  BOOST_TEST(check_gradient(x * stop_gradient(sin(x)) + exp(x * y))(x = 1.25, y = 0.5).passed(1e-9));
  // One that is NaN, here by x, and not by y, does not pass.
  BOOST_TEST(!check_gradient(sqrt(x * x * x * x) + y)(x = 0.0, y = 1.0).passed(1e-9));
  // A derivative that is not the value's is found.
  const auto wrong = check_gradient(grad_scale(square(x), 2))(x = 1.0);
  BOOST_TEST(!wrong.passed(1e-3));
  BOOST_TEST(wrong.checks[0].derivative == 4.0);
  BOOST_TEST(wrong.checks[0].difference == 2.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(wrong.largest_error() == 0.5, boost::test_tools::tolerance(1e-9));
  // Of linear functions of small integers the differences are exact.
  BOOST_TEST(printed(check_gradient([](auto a, auto v) { return a * v[0] + stop_gradient(v[1]); })(
                 2.0, std::array{3.0, 4.0})) ==
             "argument 0: derivative 3, difference 3, error 0\n"
             "argument 1[0]: derivative 2, difference 2, error 0\n"
             "argument 1[1]: derivative 0, difference 0, error 0\n");
}

BOOST_AUTO_TEST_CASE(checks_of_loops) {
  constexpr auto growth = [](auto rate, auto shocks) {
    return scan([&](auto c, auto e) { return c + rate * c * (1 - c) + e; }, 0.1, shocks);
  };
  BOOST_TEST(check_gradient(growth, wrt<0>)(0.5, std::vector{0.1, -0.05, 0.02}).passed(1e-9));
  // A sequence that is stopped keeps its elements.
  constexpr auto stopped = [](auto rate, auto shocks) {
    const auto emitted = scan([&](auto c, auto e) { return std::pair(c + rate * e, c * rate); }, rate, shocks).second;
    return scan([&](auto sum, auto e) { return sum + rate * e; }, 0.0, stop_gradient(emitted));
  };
  const auto report = check_gradient(stopped, wrt<0>)(0.5, std::vector{1.0, 2.0});
  // The sequence is 0.5 * 0.5 and (0.5 + 0.5) * 0.5, the derivative its sum.
  BOOST_TEST(report.checks[0].derivative == 0.75);
  BOOST_TEST(report.passed(1e-9));
  // Data of a function are held.
  const auto scaled = check_gradient(bind_back([](auto rate, auto c) { return c * rate * rate; }, 4.0))(0.5);
  BOOST_TEST(scaled.checks[0].derivative == 4);
  BOOST_TEST(scaled.passed(1e-9));
  static constexpr auto decay = [](auto t, auto state, auto k) { return -k * state + t; };
  static constexpr auto end = [](auto k, auto t) { return odeint<adaptive>(decay, 1.0 + 0 * k, 0.0, t, k, 1e-9); };
  BOOST_TEST(check_gradient(end)(0.4, 1.3).passed(1e-8));
}
