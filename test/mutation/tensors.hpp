#ifndef TAPELESS_TEST_MUTATION_TENSORS_HPP
#define TAPELESS_TEST_MUTATION_TENSORS_HPP

#include <tapeless/xtensor.hpp>

#include "check.hpp"

#include <algorithm>

namespace check {

using namespace tapeless;

inline constexpr auto X = variable<"X">;
inline constexpr auto a = variable<"a">;
inline constexpr auto b = variable<"b">;
inline constexpr auto k = variable<"k">;

using numbers = std::vector<double>;
using matrix = xt::xtensor<double, 2>;

constexpr std::size_t rows = 5, columns = 3;
inline numbers some(std::size_t count, double phase) {
  numbers result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(std::sin(1.7 * static_cast<double>(i) + phase));
  return result;
}
inline const numbers elements = some(rows * columns, 0.4), by_column = some(columns, 1.1), by_row = some(rows, 2.3);
inline const std::vector<int> chosen{4, 0, 4};

/// Value and gradient of a formula in X, a (by column) and b (by row) against `by_hand`.
template <class F, class Hand, class... Bindings>
void verify(const char* what, const F& f, const Hand& by_hand, const Bindings&... others) {
  matrix x = matrix::from_shape({rows, columns});
  std::copy(elements.begin(), elements.end(), x.begin());
  const auto [value, gradient] = value_and_gradient(f, wrt(X, a, b))(X = x, a = by_column, b = by_row, others...);
  close(what, value, by_hand(elements, by_column, by_row));
  const auto slopes = [&](const auto& slope, const numbers& at, const auto& moved) {
    if constexpr (requires { slope.data(); })
      check::slopes(what, moved, at, [&](std::size_t i) { return slope.data()[i]; });
  };
  slopes(gradient[X], elements, [&](const numbers& m) { return by_hand(m, by_column, by_row); });
  slopes(gradient[a], by_column, [&](const numbers& m) { return by_hand(elements, m, by_row); });
  slopes(gradient[b], by_row, [&](const numbers& m) { return by_hand(elements, by_column, m); });
}

/// The sum over rows and columns of what `f` makes of an element and its place.
template <class F>
double over(const F& f) {
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) sum += f(i, j, i * columns + j);
  return sum;
}
template <class F>
double along(std::size_t count, const F& f) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += f(i);
  return sum;
}

}  // namespace check

#endif
