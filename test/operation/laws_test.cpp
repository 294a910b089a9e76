// Every operation at its own sample points: values and derivatives against references of 50 digits, and the three ways
// to a derivative against each other.
#include "definitions.hpp"

#include <tapeless/tapeless.hpp>

#include <boost/multiprecision/cpp_dec_float.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <string>

using namespace tapeless;
using tapeless_test::defined;
using reference =
    boost::multiprecision::number<boost::multiprecision::cpp_dec_float<50>, boost::multiprecision::et_off>;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

// Differences in 50 digits: the step leaves some 30 right digits of first and 20 of second derivatives.
const reference step("1e-10");

template <class F>
reference first_difference(F f, const reference& at) {
  return tapeless_test::first_difference(f, at, step);
}
template <class F>
reference second_difference(F f, const reference& at) {
  return tapeless_test::second_difference(f, at, step);
}

void close(double computed, const reference& expected, const char* what) {
  const double error = static_cast<double>(abs(reference(computed) - expected));
  const double allowed = 1e-13 * std::fmax(1.0, std::fabs(static_cast<double>(expected)));
  BOOST_CHECK_MESSAGE(error <= allowed, what << ": " << computed << " instead of " << static_cast<double>(expected));
}

template <class Op>
void check_unary() {
  const auto f = apply<Op>(x);
  for (const auto& sample : Op::samples) {
    const double a = sample[0];
    BOOST_TEST_CONTEXT(std::string(Op::name) << " at " << a) {
      const auto exact = [](const reference& at) { return defined<Op>::template at<reference>(at, 0); };
      const auto [value, gradient_here] = value_and_gradient(f, wrt(x))(x = a);
      close(value, exact(a), "value");
      close(gradient_here[x], first_difference(exact, a), "reverse");
      close(jvp(f, tangent(x = 1.0))(x = a), first_difference(exact, a), "forward");
      close(derivative(f * x, x)(x = a), first_difference(exact, a) * a + exact(a), "symbolic");
      close(hessian(f, wrt(x))(x = a)(x, x), second_difference(exact, a), "second");
      const auto traced_here = value_and_gradient([](auto v) { return apply<Op>(v); })(a);
      close(traced_here.value, exact(a), "traced value");
      close(traced_here.gradient, first_difference(exact, a), "traced gradient");
    }
  }
}

template <class Op>
void check_binary() {
  const auto f = apply<Op>(x, y);
  for (const auto& sample : Op::samples) {
    const double a = sample[0], b = sample[1];
    BOOST_TEST_CONTEXT(std::string(Op::name) << " at " << a << ", " << b) {
      const auto in_first = [&](const reference& at) { return defined<Op>::template at<reference>(at, b); };
      const auto in_second = [&](const reference& at) { return defined<Op>::template at<reference>(a, at); };
      const auto slope_in_second = [&](const reference& at) {
        return first_difference([&](const reference& first) { return defined<Op>::template at<reference>(first, at); },
                                a);
      };
      const auto [value, gradient_here] = value_and_gradient(f, wrt(x, y))(x = a, y = b);
      close(value, in_first(a), "value");
      close(gradient_here[x], first_difference(in_first, a), "reverse in x");
      close(gradient_here[y], first_difference(in_second, b), "reverse in y");
      close(jvp(f, tangent(x = 1.0))(x = a, y = b), first_difference(in_first, a), "forward in x");
      close(jvp(f, tangent(y = 1.0))(x = a, y = b), first_difference(in_second, b), "forward in y");
      close(derivative(f * x * y, x)(x = a, y = b), (first_difference(in_first, a) * a + in_first(a)) * b,
            "symbolic in x");
      close(derivative(f * x * y, y)(x = a, y = b), (first_difference(in_second, b) * b + in_first(a)) * a,
            "symbolic in y");
      const auto h = hessian(f, wrt(x, y))(x = a, y = b);
      close(h(x, x), second_difference(in_first, a), "second in x");
      close(h(y, y), second_difference(in_second, b), "second in y");
      close(h(x, y), first_difference(slope_in_second, b), "mixed");
    }
  }
}

template <class Op>
void check() {
  if constexpr (detail::arity<Op> == 1)
    check_unary<Op>();
  else
    check_binary<Op>();
}

template <class... Ops>
void check_all(operation::list<Ops...>) {
  (check<Ops>(), ...);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_operation) { check_all(operation::all{}); }

BOOST_AUTO_TEST_CASE(norm_and_logsumexp) {
  const double a = 1.25, b = -0.5, c = 2.0;
  constexpr auto z = variable<"z">;
  const auto n = [&](const reference& p, const reference& q) -> reference { return sqrt(p * p + q * q + c * c); };
  const auto g = value_and_gradient(norm(x, y, z))(x = a, y = b, z = c);
  close(g.value, n(a, b), "norm");
  close(g.gradient[x], first_difference([&](const reference& p) { return n(p, b); }, a), "norm by x");
  close(g.gradient[y], first_difference([&](const reference& q) { return n(a, q); }, b), "norm by y");
  const auto l = [&](const reference& p, const reference& q) -> reference {
    return log(exp(p) + exp(q) + exp(reference(c)));
  };
  const auto s = value_and_gradient(logsumexp(x, y, z))(x = a, y = b, z = c);
  close(s.value, l(a, b), "logsumexp");
  close(s.gradient[x], first_difference([&](const reference& p) { return l(p, b); }, a), "logsumexp by x");
  const auto h = hessian(logsumexp(x, y, z))(x = a, y = b, z = c);
  close(h(x, x), second_difference([&](const reference& p) { return l(p, b); }, a), "logsumexp by x twice");
  // Shifted by the largest operand: no overflow, and infinite operands have the limits.
  BOOST_TEST(logsumexp(x, y)(x = 1000.0, y = 1000.0) == 1000.0 + std::log(2.0));
  BOOST_TEST(logsumexp(x, y)(x = -INFINITY, y = -INFINITY) == -INFINITY);
  BOOST_TEST(logsumexp(x, y)(x = INFINITY, y = 1.0) == INFINITY);
}
