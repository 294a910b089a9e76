// Inside constant evaluation, for every operation at its own sample points: reverse, forward, symbolic and traced
// derivatives agree, first and second.
#include <tapeless/tapeless.hpp>

#include <cstddef>

using namespace tapeless;

namespace {

constexpr auto x = variable<"x">;
constexpr auto y = variable<"y">;

constexpr bool close(double left, double right) {
  const double difference = left < right ? right - left : left - right;
  const double size = left < 0 ? -left : left;
  return difference <= 1e-12 * (size < 1 ? 1 : size);
}

template <class Op>
constexpr bool agree() {
  for (const auto& sample : Op::samples) {
    if constexpr (detail::arity<Op> == 1) {
      constexpr auto f = apply<Op>(x);
      const double at = sample[0];
      const double value = f(x = at);
      const double slope = gradient(f, wrt(x))(x = at)[x];
      const double curvature = hessian(f, wrt(x))(x = at)(x, x);
      const auto traced_here = value_and_gradient([](auto v) { return apply<Op>(v); })(at);
      // The product keeps symbolic derivatives from being constants.
      if (!close(jvp(f, tangent(x = 1.0))(x = at), slope) || !close(hvp(f, tangent(x = 1.0))(x = at)[x], curvature) ||
          !close(derivative(f * x * x, x)(x = at), (slope * at + 2 * value) * at) ||
          !close(derivative(derivative(f * x * x * x, x), x)(x = at),
                 ((curvature * at + 6 * slope) * at + 6 * value) * at) ||
          !close(traced_here.value, value) || !close(traced_here.gradient, slope))
        return false;
    } else {
      constexpr auto f = apply<Op>(x, y);
      const double a = sample[0], b = sample[1];
      const double value = f(x = a, y = b);
      const auto slope = gradient(f, wrt(x, y))(x = a, y = b);
      const auto curvature = hessian(f, wrt(x, y))(x = a, y = b);
      const auto along_y = hvp(f, tangent(y = 1.0))(x = a, y = b);
      if (!close(jvp(f, tangent(x = 1.0, y = 2.0))(x = a, y = b), slope[x] + 2 * slope[y]) ||
          !close(along_y[x], curvature(x, y)) || !close(along_y[y], curvature(y, y)) ||
          !close(derivative(f * x * x * y, x)(x = a, y = b), (slope[x] * a + 2 * value) * a * b))
        return false;
    }
  }
  return true;
}

template <class List>
constexpr bool all_agree = false;
template <class Op>
constexpr bool agrees = agree<Op>();
template <class... Ops>
constexpr bool all_agree<operation::list<Ops...>> = (agrees<Ops> && ...);

}  // namespace

static_assert(all_agree<operation::all>);

// n-ary operations.
static_assert(close(norm(x, y)(x = 3.0, y = 4.0), 5.0));
static_assert(gradient(norm(x, y))(x = 0.0, y = 0.0)[x] == 0.0);
static_assert(gradient(max(x, y, 1_c))(x = 1.0, y = 1.0)[y] == 1.0 / 3);
static_assert(close(gradient(logsumexp(x, y))(x = 1000.0, y = 1000.0)[x], 0.5));
static_assert(gradient(clamp(x, 0.0, 1.0))(x = 2.0)[x] == 0.0);
