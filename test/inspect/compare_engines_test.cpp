// The engine compared with the plain evaluator over numbers and loops: ordinary programs agree, a fault is found.
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

void agrees(const engine_report& report, std::size_t outputs, double tolerance = 1e-14) {
  BOOST_TEST(report.checks.size() == outputs);
  for (const engine_check& check : report.checks) BOOST_TEST(!check.node.empty());
  BOOST_TEST(report.passed(tolerance), report);
  BOOST_TEST(report.first_difference(tolerance) == nullptr);
}

/// It says that it may be applied once or twice alike, which is not so.
struct Halved {
  static constexpr std::string_view name = "halved";
  static constexpr tapeless::laws laws{.idempotent = true};
  static constexpr auto value = [](const auto& a) { return a / 2; };
  static constexpr rules partials{[](auto, auto) { return constant<1, 2>; }};
};

}  // namespace

BOOST_AUTO_TEST_CASE(formulas) {
  const auto f = sin(x) * exp(x * y) / (1_c + square(y)) - pow(x, 3_c) + where(x < y, x * y, max(x, y, x + y));
  agrees(compare_engines(f)(x = 0.3, y = 1.2), 1);
  agrees(compare_engines(value_and_gradient(f, wrt(x, y)))(x = 0.3, y = 1.2), 3);
  agrees(compare_engines(gradient(f, wrt(x)))(x = 0.3, y = 1.2), 1);
  agrees(compare_engines(value_and_hessian(f, wrt(x, y)))(x = 1.3, y = 1.2), 6);
  agrees(compare_engines(hvp(f, tangent(x = 1.0, y = 0.5)))(x = 0.3, y = 1.2), 2);
  agrees(compare_engines(value_and_jvp(f, tangent(x = 1.0)))(x = 0.3, y = 1.2), 2);
  const auto all = outputs(f, x / y, 2.5 * erf(x), stop_gradient(x) * softplus(y));
  agrees(compare_engines(all)(x = 0.3, y = 1.2), 4);
  agrees(compare_engines(value_and_jacobian(all, wrt(x, y)))(x = 0.3, y = 1.2), 12);
  agrees(compare_engines(vjp(all, cotangent(1.0, 0.5, 2.0, -1.0)))(x = 0.3, y = 1.2), 2);
  agrees(compare_engines(sparse_hessian(f, wrt(x, y)))(x = 0.3, y = 1.2), 3);
  agrees(compare_engines(value_and_gradient(f, wrt(x, y)))(x = 0.3f, y = 1.2f), 3, 1e-6);
  // What is infinite or NaN in both is no difference.
  agrees(compare_engines(value_and_gradient(log(x) * y))(x = 0.0, y = 0.0), 3);
}

BOOST_AUTO_TEST_CASE(functions) {
  const auto f = [](auto u, auto v) {
    std::array<decltype(u), 3> w{u * v[0], exp(u) / v[1], sigmoid(u) * u};
    return norm(w[0], w[1], w[2]) * call([](auto a, auto b) { return a * tanh(b); }, w[0], w[2]) + logsumexp(w[0], u);
  };
  const std::array v{0.7, -1.2};
  agrees(compare_engines(value(f))(0.4, v), 1);
  agrees(compare_engines(value_and_gradient(f))(0.4, v), 4);
  agrees(compare_engines(gradient(f, wrt<1>))(0.4, v), 2);
  agrees(compare_engines(value_and_hessian(f))(0.4, v), 10);
  agrees(compare_engines(hvp(f, wrt<1>, tangent(std::array{1.0, 0.5})))(0.4, v), 2);
  agrees(compare_engines(jacobian([](auto u, auto w) { return std::array{u * w, u / w, sin(u), u - w}; }))(0.4, 1.5),
         8);
  agrees(compare_engines(gradient(bind_back([](auto u, auto c) { return c * sin(u * c); }, 2.0)))(0.4), 1);
}

BOOST_AUTO_TEST_CASE(loops_of_run_time_length) {
  const std::vector<double> xs{.1, .5, -.7, 1.3, .2, -.4};
  const auto last = [](auto k, auto all) {
    return scan([&](auto carry, auto e) { return carry * k + sin(e * carry); }, k, all);
  };
  agrees(compare_engines(value(last))(0.5, xs), 1);
  const engine_report report = compare_engines(value_and_gradient(last))(0.5, xs);
  agrees(report, 3);
  BOOST_TEST(report.checks[2].output == "derivative by argument 1");
  agrees(compare_engines(hvp(last, tangent(1.0, xs)))(0.5, xs), 2);
  agrees(compare_engines(value_and_hessian(last, wrt<0>))(0.5, xs), 3);
  agrees(compare_engines(value_and_gradient(last))(0.5, std::vector<double>{}), 3);
  const auto kept = [](auto k, auto all) {
    return scan<checkpoints<2>>([&](auto carry, auto e) { return carry * k + sin(e * carry); }, k, all);
  };
  agrees(compare_engines(value_and_gradient(kept))(0.5, xs), 3);
  const auto stacked = [](auto k, auto n) {
    const auto [end, all] = scan(
        [&](auto carry, auto i) {
          const auto next = carry * cos(k * carry) + 0.1 * i;
          return std::pair{next, next * exp(-k)};
        },
        k, steps(n));
    return end + scan([&](auto sum, auto e) { return sum + e * e * k; }, 0.0 * k, all);
  };
  agrees(compare_engines(value_and_gradient(stacked, wrt<0>))(0.5, 7), 2);
  agrees(compare_engines(value_and_hessian(stacked, wrt<0>))(0.5, 7), 3);
  const auto root = [](auto c) {
    return fixed_point([](auto z, auto d) { return (z + d / z) * 0.5; }, 1.0 + c * 0.0, c);
  };
  agrees(compare_engines(value_and_gradient(root))(3.0), 2);
  const auto decay = [](auto rate, auto n) {
    return odeint([](auto, auto state, auto r) { return -r * state; }, 1.0 + 0.0 * rate, 0.0, 1.0, n, rate);
  };
  agrees(compare_engines(value_and_gradient(decay, wrt<0>))(0.7, 5), 2);
  const auto branches = [](auto k, auto all) {
    const auto halved = while_loop([&](auto c) { return c > 1; }, [&](auto c) { return c * k; }, norm(all), 50);
    return halved * cond(k > 0, [&] { return amax(k * all) + exp(all[-1]); }, [&] { return prod(all); });
  };
  agrees(compare_engines(value_and_gradient(branches, wrt<0>))(0.5, xs), 2);
  agrees(compare_engines(value_and_hessian(branches, wrt<0>))(-0.5, xs), 3);
}

BOOST_AUTO_TEST_CASE(a_wrong_rewrite_is_found) {
  const auto f = x * apply<Halved>(apply<Halved>(x + 0 * y));
  const engine_report report = compare_engines(value_and_gradient(f, wrt(x)))(x = 3.0, y = 1.0);
  BOOST_TEST(!report.passed(1e-3));
  const engine_check* const first = report.first_difference(1e-3);
  BOOST_TEST_REQUIRE(first != nullptr);
  BOOST_TEST(first->output == "value");
  BOOST_TEST(first->fast == 4.5);
  BOOST_TEST(first->plain == 2.25);
  BOOST_TEST(first->difference == 2.25);
  BOOST_TEST(first->error == 1.0);
  BOOST_TEST(!first->rewritten_agrees);
  std::ostringstream stream;
  stream << report;
  const std::string text = stream.str();
  BOOST_TEST(text.find("value, element 0: fast 4.5, plain 2.25, error 1 of scale 2.25\n") == 0u, text);
  BOOST_TEST(text.find("x * halved(halved(") != std::string::npos, text);
  BOOST_TEST(text.find("does not give the plain result") != std::string::npos, text);
}
