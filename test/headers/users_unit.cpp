// A unit of a user who includes the headers by -I, has most warnings on and names of their own, and calls what is
// there: templates warn where they are instantiated.
#include <exception>  // xtl 0.7 forgets it with libc++ in C++26

#include <tapeless/parallel.hpp>
#include <tapeless/tensorflow.hpp>
#include <tapeless/xtensor.hpp>

#include <tuple>
#include <vector>

static int x, y, a, b, c, e, f, g, h, i, j, k, l, m, n, p, q, r, s, t, u, v, w, z;
static int value, result, first, last, size, count, index_, other, name, rows, columns, data, left, right, row, axes;
static int to, from, number, operand, node, out, text, extent, step, shape, stride, position, tensor, graph;

namespace user {

using namespace tapeless;

static constexpr auto X = variable<"x">;
static constexpr auto Y = variable<"y">;
static constexpr auto W = variable<"w">;
static constexpr auto T = variable<"t">;

struct function {
  template <class A, class B>
  constexpr auto operator()(A one, B two) const {
    return lgamma(one) * sin(two) + pow(one, two) + erfc(one) + abs(one) * atan2(one, two) + hypot(one, two);
  }
};
static_assert(gradient([](auto one, auto two) { return pow(one, two) + erf(one) + round(two); }, wrt<0>)(1.5, 2.0) > 3);

double of_numbers(double one, double two);
double of_numbers(double one, double two) {
  const auto formula = X * sin(Y) + lgamma(X) * sigmoid(Y) + max(X, Y) + where(X > Y, X, Y) * sqrt(X);
  const auto all = value_and_gradient(formula)(X = one, Y = two);
  const auto [by_one, by_two] = gradient(function{})(one, two);
  return all.value + all.gradient[X] + hessian(formula)(X = one, Y = two)(X, X) + by_one + by_two +
         jvp(formula, tangent(X = 1.0))(X = one, Y = two);
}

double of_tensors(const std::vector<double>& one, const xt::xtensor<float, 2>& two);
double of_tensors(const std::vector<double>& one, const xt::xtensor<float, 2>& two) {
  const auto formula = sum(softmax(T * W));
  auto all = value_and_gradient(formula)(W = one, T = two);
  value_and_gradient(formula)(into(all), W = one, T = two);
  const auto curved = hvp(formula, tangent(W = one))(W = one, T = two);
  const auto each = batched(gradient(X * exp(Y)))(X = one, Y = one);
  const auto moved = gradient(sum(take(W, T) * slice<0>(W, 0, 3)))(W = one, T = one);
  return all.value + curved[W][0] + each[X][0] + moved[W][0] + sum(dot(T, W))(T = two, W = one) +
         sum(erfc(W) * log(W) * digamma(W) + pow(W, X))(W = one, X = 2.0);
}

}  // namespace user

int sum_of_names();
int sum_of_names() {
  return x + y + a + b + c + e + f + g + h + i + j + k + l + m + n + p + q + r + s + t + u + v + w + z + value +
         result + first + last + size + count + index_ + other + name + rows + columns + data + left + right + row +
         axes + to + from + number + operand + node + out + text + extent + step + shape + stride + position + tensor +
         graph;
}
