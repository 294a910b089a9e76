// The engine compared with the plain evaluator over tensors: verbs, memory, and faults that are found.
#include "agrees.hpp"

#include <sstream>
#include <string>

using namespace tapeless_test;

namespace {

/// SIMD lanes compute something else.
struct Doubled {
  static constexpr std::string_view name = "doubled";
  static constexpr auto value = [](const auto& a) { return a + a; };
  static constexpr auto lanes = [](const auto& a) { return a + a + a; };
  static constexpr rules partials{[](auto, auto) { return 2_c; }};
};

}  // namespace

BOOST_AUTO_TEST_CASE(verbs) {
  constexpr auto X = variable<"X">;
  constexpr auto W = variable<"W">;
  const auto f = sum(square(softmax<1>(X * W))) + norm(W);
  agrees(compare_engines(f)(X = x, W = w));
  const engine_report report = compare_engines(value_and_gradient(f, wrt(W)))(X = x, W = w);
  BOOST_TEST_REQUIRE(report.checks.size() == 2u);
  BOOST_TEST(report.checks[0].output == "value 0");
  BOOST_TEST(report.checks[1].output == "derivative by W");
  agrees(report);
  agrees(compare_engines(jvp(X * exp(W), tangent(W = w)))(X = x, W = w));
  agrees(compare_engines(vjp(outputs(X * W, dot(X, W)), cotangent(x, b)))(X = x, W = w));
  agrees(compare_engines(hvp(f, wrt(W), tangent(W = w)))(X = x, W = w));
  agrees(compare_engines(value_and_hessian(f, wrt(W)))(X = x, W = w));
  agrees(compare_engines(value_and_jacobian(outputs(dot(X, W), sum(X * W)), wrt(W)))(X = x, W = w));
  // Columns first, strides, and another number type.
  const xt::xtensor<double, 2, xt::layout_type::column_major> columns = x;
  agrees(compare_engines(value_and_gradient(f, wrt(X, W)))(X = columns, W = w));
  const matrix wide = wave<matrix>({18, 6}, 0.2);
  const auto every_second = xt::view(wide, xt::range(0, 18, 2), xt::range(0, 6, 2));
  agrees(compare_engines(value_and_gradient(f, wrt(X, W)))(X = every_second, W = w));
  const xt::xtensor<float, 2> single = xt::cast<float>(x);
  const xt::xtensor<float, 1> slopes{.1f, .2f, .3f};
  agrees(compare_engines(value_and_gradient(f, wrt(X, W)))(X = single, W = slopes), 1e-6);
}

BOOST_AUTO_TEST_CASE(a_wrong_engine_is_found) {
  constexpr auto B = variable<"B">;
  const auto f = B * apply<Doubled>(B);
  const engine_report report = compare_engines(value_and_gradient(sum(f)))(B = b);
  BOOST_TEST(!report.passed(1e-3));
  const engine_check* const first = report.first_difference(1e-3);
  BOOST_TEST_REQUIRE(first != nullptr);
  BOOST_TEST(first->output == "value 0");
  double squares = 0;
  for (const double each : b) squares += each * each;
  BOOST_TEST(first->plain == 2 * squares, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(first->fast > 2.5 * squares);
  BOOST_TEST(first->rewritten_agrees);
  std::ostringstream stream;
  stream << report;
  const std::string text = stream.str();
  BOOST_TEST(text.find("sum(B * doubled(B))") != std::string::npos, text);
  BOOST_TEST(text.find("gives the plain result") != std::string::npos, text);
  // Of a batch too, at the elements that are computed in lanes.
  const engine_report batch = compare_engines(batched(f))(B = b);
  BOOST_TEST_REQUIRE(batch.checks.size() == 1u);
  BOOST_TEST(batch.checks[0].element < 8u);
  BOOST_TEST(batch.checks[0].fast == 1.5 * batch.checks[0].plain, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(batch.checks[0].rewritten_agrees);
}
