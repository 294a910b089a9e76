// One program of every family, under the sanitizers of both compilers. With g++'s -fsanitize=undefined the addresses of
// two objects are no constants to compare, so that what compares operations or shapes by address does not compile.
#include <tapeless/xtensor.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tapeless;

namespace {

int failures = 0;

void near(const char* what, double actual, double expected) {
  if (std::abs(actual - expected) <= 1e-13 * (1 + std::abs(expected))) return;
  std::printf("%s: %.17g instead of %.17g\n", what, actual, expected);
  ++failures;
}

constexpr auto k = variable<"k">;
constexpr auto x = variable<"x">;
constexpr auto X = variable<"X">;

// Functions that look alike, which are laid in packs, in each step of a loop.
constexpr auto recurrence = [](auto p, auto inputs) {
  const auto last = scan(
      [&](auto c, auto u) {
        return std::array{tanh(p * c[0] + u), tanh(p * c[1] + u), tanh(p * c[2] - u), tanh(p * c[3] - u)};
      },
      std::array{0.1, 0.2, 0.3, 0.4}, inputs);
  return last[0] + last[1] + last[2] + last[3];
};
struct with_slope {
  double value = 0.0, slope = 0.0;
};
with_slope recurrence_by_hand(double p, const std::vector<double>& inputs) {
  with_slope sum;
  for (int i = 0; i < 4; ++i) {
    with_slope c{0.1 * (i + 1), 0.0};
    for (const double u : inputs) {
      const double t = std::tanh(p * c.value + (i < 2 ? u : -u));
      c = {t, (1 - t * t) * (c.value + p * c.slope)};
    }
    sum.value += c.value, sum.slope += c.slope;
  }
  return sum;
}

// Two branches with equal bodies.
constexpr auto branches = [](auto p, auto xs, auto signs) {
  const auto step = [&](auto c, auto s) { return cond(s > 0, [&] { return xs[0] * c; }, [&] { return xs[-1] * p; }); };
  return scan(step, 1.0, signs);
};

void check_loop() {
  const std::vector<double> inputs{0.3, -0.2, 0.5, 0.1, -0.4};
  const with_slope expected = recurrence_by_hand(0.7, inputs);
  const auto reverse = value_and_gradient(recurrence, wrt<0>)(0.7, inputs);
  near("value of a loop", reverse.value, expected.value);
  near("gradient of a loop", reverse.gradient, expected.slope);
  near("gradient of branches", gradient(branches, wrt<0>)(0.9, std::vector{0.5, 0.6, 0.7}, std::vector{0.0, 1.0, 0.0}),
       0.7);
  near("tangent of a loop", jvp(recurrence, wrt<0>, tangent(1.0))(0.7, inputs), expected.slope);
}

void check_batch() {
  const std::vector<double> each{-1.1, -0.4, 0.0, 0.3, 0.8, 1.3, 1.9};
  const auto of_formula = batched(value_and_gradient(exp(-x * x) * k, wrt(x, k)))(x = each, k = 2.0);
  for (std::size_t i = 0; i < each.size(); ++i) {
    const double e = std::exp(-each[i] * each[i]);
    near("value in a batch", of_formula.value[i], 2 * e);
    near("gradient in a batch", of_formula.gradient[x][i], -4 * each[i] * e);
    near("gradient in a batch by what all share", of_formula.gradient[k][i], e);
  }
}

void check_jacobian() {
  constexpr auto waves = [](auto a, auto b) {
    return std::array{exp(a[0] * b), exp(a[1] * b), exp(a[2] * b), exp(a[3] * b)};
  };
  const std::array a{0.1, -0.3, 0.7, 1.1};
  const auto rows = jacobian(waves, wrt<0, 1>)(a, 0.6);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) near("Jacobian", rows[i][j], i == j ? 0.6 * std::exp(0.6 * a[i]) : 0.0);
    near("Jacobian's last column", rows[i][4], a[i] * std::exp(0.6 * a[i]));
  }
}

// Vectors as carries: each element is a recurrence of its own.
template <class... Options>
void check_loop_over_tensors() {
  const xt::xtensor<double, 1> w{0.7, -0.3}, start{0.1, 0.2};
  const xt::xtensor<double, 2> inputs{{0.3, -0.2}, {0.5, 0.1}, {-0.4, 0.6}};
  const auto result = value_and_gradient(
      [](auto factor, auto first, auto rows) {
        return sum(scan<Options...>([&](auto c, auto row) { return tanh(factor * c + row); }, first, rows));
      },
      wrt<0>)(w, start, inputs);
  double sum = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    with_slope c{start(i), 0.0};
    for (std::size_t row = 0; row < 3; ++row) {
      const double t = std::tanh(w(i) * c.value + inputs(row, i));
      c = {t, (1 - t * t) * (c.value + w(i) * c.slope)};
    }
    sum += c.value;
    near("gradient of a loop over tensors", result.gradient(i), c.slope);
  }
  near("value of a loop over tensors", result.value, sum);
}

// Softmax cross-entropy with the first class for all rows: p - (1, 0, 0).
void check_tensors() {
  const xt::xtensor<double, 2> scores{{0.2, -0.5, 1.0}, {2.0, 0.1, -1.0}};
  const auto result = value_and_gradient(sum(logsumexp<1>(X)) - sum(slice<1>(X, 0, 1)), wrt(X))(X = scores);
  double loss = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const double total = std::exp(scores(i, 0)) + std::exp(scores(i, 1)) + std::exp(scores(i, 2));
    loss += std::log(total) - scores(i, 0);
    for (std::size_t j = 0; j < 3; ++j)
      near("gradient by a tensor", result.gradient[X](i, j), std::exp(scores(i, j)) / total - (j == 0));
  }
  near("value over a tensor", result.value, loss);
}

// Calls after the thread has freed what it keeps from one call to the next.
struct calls_at_end {
  calls_at_end() = default;
  calls_at_end(const calls_at_end&) = delete;
  calls_at_end& operator=(const calls_at_end&) = delete;
  ~calls_at_end() {
    check_loop();
    check_loop_over_tensors<>();
    check_loop_over_tensors<checkpoints<1>>();
    if (failures != 0) std::_Exit(1);
  }
};

}  // namespace

int main() {
  static const calls_at_end of_program;
  static thread_local const calls_at_end of_thread;
  check_loop();
  check_batch();
  check_jacobian();
  check_tensors();
  check_loop_over_tensors<>();
  check_loop_over_tensors<checkpoints<1>>();
  return failures == 0 ? 0 : 1;
}
