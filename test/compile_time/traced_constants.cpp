// In a traced function a value that depends on no argument is a number: it can decide a condition and end a loop.
#include <tapeless/tapeless.hpp>

using namespace tapeless;

constexpr auto cube = [](auto a) {
  decltype(a) product = 1, counter = 0;
  while (counter < 3) {
    product *= a;
    counter += 1;
  }
  return product;
};
static_assert(value_and_gradient(cube)(2.0).value == 8.0);
static_assert(gradient(cube)(2.0) == 12.0);

constexpr auto half = [](auto a) {
  const double factor = decltype(a)(0.5);
  return a * factor;
};
static_assert(gradient(half)(2.0) == 0.5);

// Operations that are defined by others, and densities, of constants alone.
constexpr auto scaled = [](auto a) { return a * square(decltype(a)(1.5)); };
static_assert(gradient(scaled)(2.0) == 2.25);
constexpr auto likelihood = [](auto a) { return student_t_lpdf(a, 4.0, 0.5, 2.0) + beta_lpdf(a, 2.0, 3.0); };
static_assert(gradient(likelihood)(0.5) == 2.0 - 4.0);  // 1 / a - 2 / (1 - a), and 0 at the location of Student's t
// Operations over any number of operands: a derivative that is zero everywhere is such a constant.
constexpr auto extremes = [](auto a) {
  const auto zero = gradient([](auto, auto v) { return stop_gradient(v); }, wrt<1>)(a, a);
  return a * (max(zero, 0.5, 0.25) + min(zero, -0.5) + norm(zero, 3.0, 0.0, 4.0) + logsumexp(zero));
};
static_assert(gradient(extremes)(2.0) == 5.0);
