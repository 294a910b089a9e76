// Compiled for one target after another; UNIT names the function. Most formulas have the same types in all units; those
// with FACTOR differ and share functions of lanes, such as pow.
#include "unit.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/xtensor.hpp>

#include <array>
#include <cstddef>
#include <vector>

using namespace tapeless;

inline constexpr auto x = variable<"x">;
inline constexpr auto y = variable<"y">;
inline constexpr auto w = variable<"w">;
inline constexpr auto t = variable<"t">;

struct product_of_powers {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return lgamma(a) + pow(a, b);
  }
};

struct stretched {
  template <class A, class B>
  constexpr auto operator()(A a, B b) const {
    return square(a - b);
  }
};
struct powers {
  template <class A, class B>
  constexpr auto operator()(A a, B bs) const {
    return scan([&](auto c, auto b) { return c * a + b; }, a, bs);
  }
};

numbers UNIT(const std::vector<double>& a, const std::vector<double>& b, const xt::xtensor<float, 2>& rows,
             double nan) {
  numbers result{};
  result.factor = FACTOR;
  result.sum_of_powers = sum(pow(w, t) + constant<FACTOR> * w)(w = a, t = b);

  constexpr auto step = value_and_gradient(sum(square(w * x - t)), wrt(w));
  auto r = step(w = a, t = b, x = 0.5);
  result.loss = r.value;
  for (const double derivative : r.gradient[w]) result.gradient += derivative;
  step(into(r), w = a, t = b, x = 2.0);
  for (const double derivative : r.gradient[w]) result.gradient_again += derivative;

  result.softmax = sum(softmax(w) * (constant<FACTOR> * t))(w = rows, t = rows);
  const auto derivatives = batched(gradient(x * sin(y), wrt(x)))(x = a, y = b);
  for (const double derivative : derivatives[x]) result.batched += derivative;

  result.digamma = gradient(lgamma(x) + sigmoid(y))(x = a[0], y = b[0])[x];
  result.second = hessian(x * x * log(y))(x = a[0], y = b[0])(x, y);
  result.of_function = gradient(product_of_powers{}, wrt<1>)(a[0], b[0]);

  // Too large to be inlined: both for numbers, without a formula.
  const std::array<std::array<double, 4>, 4> matrix{{{4, 1, 0, 0}, {1, 4, 1, 0}, {0, 1, 4, 1}, {0, 0, 1, 4}}};
  for (const double x_i : solve(matrix, std::array{a[0], a[1], a[2], a[3]})) result.solution += x_i;
  result.rotated = angle_axis_rotate_point(std::array{0.0, 0.0, b[0]}, std::array{a[0], 0.0, 1.0})[1];

  const std::vector<std::array<int, 2>> neighbours{{0, 1}, {1, 2}, {2, 3}};
  result.curvature = assemble(hessian(stretched{}))(a, neighbours).hessian(1, 1);
  result.of_loop = gradient(powers{}, wrt<0>)(a[1], std::vector{1.0, 2.0, 3.0});

  std::vector<double> with_nan = a;
  with_nan.back() = nan;
  result.larger_of_nan = max(x, y)(x = nan, y = b[0]);
  result.largest_of_nan = amax(w)(w = with_nan);
#ifdef __FAST_MATH__
  result.is_strict = false;
#else
  result.is_strict = true;
#endif
  return result;
}
