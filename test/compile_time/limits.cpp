// Sizes that both compilers reach with their default limits, next to closed forms. Compiling is passing.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>

using namespace tapeless;

namespace {

constexpr auto rosenbrock = [](const auto& v) {
  auto sum = 0 * v[0];
  for (std::size_t i = 0; i + 1 < v.size(); ++i) sum = sum + 100 * square(v[i + 1] - v[i] * v[i]) + square(1 - v[i]);
  return sum;
};

// Small integers: everything is exact.
template <std::size_t N>
constexpr std::array<double, N> point = [] {
  std::array<double, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = static_cast<double>(i * 5 % 7) - 3.0;
  return result;
}();

template <std::size_t N>
constexpr double gradient_entry(std::size_t i) {
  const auto& x = point<N>;
  double result = 0;
  if (i + 1 < N) result += -400 * x[i] * (x[i + 1] - x[i] * x[i]) - 2 * (1 - x[i]);
  if (i > 0) result += 200 * (x[i] - x[i - 1] * x[i - 1]);
  return result;
}
template <std::size_t N>
constexpr double hessian_entry(std::size_t i, std::size_t j) {
  const auto& x = point<N>;
  if (i > j) return hessian_entry<N>(j, i);
  if (j == i + 1) return -400 * x[i];
  if (j != i) return 0;
  return (i + 1 < N ? 1200 * x[i] * x[i] - 400 * x[i + 1] + 2 : 0.0) + (i > 0 ? 200 : 0);
}

template <std::size_t N>
constexpr bool gradient_is_right = [] {
  const auto g = gradient(rosenbrock)(point<N>);
  for (std::size_t i = 0; i < N; ++i)
    if (g[i] != gradient_entry<N>(i)) return false;
  return true;
}();
static_assert(gradient_is_right<512>);

template <std::size_t N>
constexpr bool hessian_is_right = [] {
  const auto h = hessian(rosenbrock)(point<N>);
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j)
      if (h[i][j] != hessian_entry<N>(i, j)) return false;
  return true;
}();
static_assert(hessian_is_right<48>);

template <std::size_t N>
constexpr bool sparse_hessian_is_right = [] {
  const auto h = sparse_hessian(rosenbrock)(point<N>);
  if (h.values.size() != 2 * N - 1 || h.row_begin[N] != 2 * N - 1) return false;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t k = h.row_begin[i]; k < h.row_begin[i + 1]; ++k)
      if (h.values[k] != hessian_entry<N>(i, h.columns[k])) return false;
  return true;
}();
static_assert(sparse_hessian_is_right<256>);

// Output i has inputs i - 1, i and i + 1.
constexpr auto banded = [](const auto& v) {
  auto result = v;
  for (std::size_t i = 0; i < v.size(); ++i) {
    result[i] = v[i] * v[i];
    if (i > 0) result[i] = result[i] + 3 * v[i - 1];
    if (i + 1 < v.size()) result[i] = result[i] * v[i + 1];
  }
  return result;
};
template <std::size_t N>
constexpr bool sparse_jacobian_is_right = [] {
  const auto& x = point<N>;
  const auto j = sparse_jacobian(banded)(x);
  if (j.values.size() != 3 * N - 2) return false;
  for (std::size_t i = 0; i < N; ++i) {
    const double inner = x[i] * x[i] + (i > 0 ? 3 * x[i - 1] : 0.0), next = i + 1 < N ? x[i + 1] : 1.0;
    for (std::size_t k = j.row_begin[i]; k < j.row_begin[i + 1]; ++k) {
      const std::size_t column = j.columns[k];
      if (j.values[k] != (column + 1 == i ? 3 * next : column == i ? 2 * x[i] * next : inner)) return false;
    }
  }
  return true;
}();
static_assert(sparse_jacobian_is_right<256>);

// Gradient descent in constant evaluation: 300 steps of three parameters of a curve through five points, next to the
// same steps with a gradient by hand.
constexpr std::array<double, 5> at{0, 0.25, 0.5, 0.75, 1}, measured{0.1, 0.31, 0.58, 0.91, 1.3};
constexpr auto misfit = [](const auto& p) {
  auto sum = 0.0 * p[0];
  for (std::size_t i = 0; i < at.size(); ++i)
    sum = sum + square(p[0] + p[1] * at[i] + p[2] * at[i] * at[i] - measured[i]);
  return sum;
};
constexpr auto misfit_slopes_by_hand = [](const std::array<double, 3>& p) {
  std::array<double, 3> slopes{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double twice = 2 * (p[0] + p[1] * at[i] + p[2] * at[i] * at[i] - measured[i]);
    slopes[0] += twice, slopes[1] += twice * at[i], slopes[2] += twice * at[i] * at[i];
  }
  return slopes;
};
constexpr std::array<double, 3> fitted(const auto& slopes_at) {
  std::array<double, 3> p{};
  for (int step = 0; step < 300; ++step) {
    const auto slopes = slopes_at(p);
    for (std::size_t k = 0; k < p.size(); ++k) p[k] -= 0.12 * slopes[k];
  }
  return p;
}
constexpr auto fit = fitted([](const auto& p) { return gradient(misfit)(p); });
constexpr auto fit_by_hand = fitted(misfit_slopes_by_hand);
constexpr bool close(double a, double b) { return a - b < 1e-12 && b - a < 1e-12; }
static_assert(close(fit[0], fit_by_hand[0]) && close(fit[1], fit_by_hand[1]) && close(fit[2], fit_by_hand[2]));

}  // namespace
