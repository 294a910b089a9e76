// Rows of the tables that the tests of autodiff and CppAD share: where a case comes from, its function as a user of
// tapeless writes it, a point, and the numbers that its authors expect there.
#ifndef TAPELESS_TEST_OUTSIDE_TABLE_HPP
#define TAPELESS_TEST_OUTSIDE_TABLE_HPP

#include <tapeless/tapeless.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace outside {

using One = std::array<double, 1>;
using Two = std::array<double, 2>;
using Three = std::array<double, 3>;

/// Compares to 1e-13 of the expected number, or of 1 if that is smaller; infinities and NaN must be the same.
inline void compare(const std::string& origin, const char* what, double found, double expected,
                    double tolerance = 1e-13) {
  const bool same = std::isnan(expected) ? std::isnan(found) : found == expected;
  const double error = std::abs(found - expected) / std::max(1.0, std::abs(expected));
  BOOST_TEST((same || error <= tolerance), origin << ", " << what << ": " << found << ", not " << expected);
}

template <std::size_t n>
void compare(const std::string& origin, const char* what, const std::array<double, n>& found,
             const std::array<double, n>& expected, double tolerance = 1e-13) {
  for (std::size_t i = 0; i < n; ++i)
    compare(origin + ", " + std::to_string(i), what, found[i], expected[i], tolerance);
}

template <std::size_t n, std::size_t m>
void compare(const std::string& origin, const char* what, const std::array<std::array<double, m>, n>& found,
             const std::array<std::array<double, m>, n>& expected, double tolerance = 1e-13) {
  for (std::size_t i = 0; i < n; ++i)
    compare(origin + ", " + std::to_string(i), what, found[i], expected[i], tolerance);
}

/// F of an array, whose elements are its arguments.
template <class F>
struct of_array {
  constexpr auto operator()(const auto& x) const { return std::apply(F{}, x); }
};

/// The nth derivative of F along the direction in which all arguments grow alike, by one forward sweep inside another.
template <class F, int n>
struct nth_derivative {
  constexpr auto operator()(auto x) const {
    if constexpr (n == 0)
      return F{}(x);
    else
      return tapeless::jvp(nth_derivative<F, n - 1>{}, tapeless::tangent(1.0))(x);
  }
};

/// The derivatives of orders 0 to n.
template <class F, int n>
struct derivatives_up_to {
  constexpr auto operator()(auto x) const {
    return [&]<int... order>(std::integer_sequence<int, order...>) {
      return std::array{nth_derivative<F, order>{}(x)...};
    }(std::make_integer_sequence<int, n + 1>());
  }
};

/// Value and gradient. F takes an array.
template <class F, std::size_t n>
void check_of_array(const char* origin, F f, const std::array<double, n>& x, double value,
                    const std::array<double, n>& gradient, double tolerance = 1e-13) {
  const auto found = tapeless::value_and_gradient(f)(x);
  compare(origin, "value", found.value, value, tolerance);
  compare(origin, "gradient", found.gradient, gradient, tolerance);
}

/// Value, gradient and Hessian of one program.
template <class F, std::size_t n>
void check_of_array(const char* origin, F f, const std::array<double, n>& x, double value,
                    const std::array<double, n>& gradient, const std::array<std::array<double, n>, n>& hessian,
                    double tolerance = 1e-13) {
  const auto found = tapeless::value_and_hessian(f)(x);
  compare(origin, "value", found.value, value, tolerance);
  compare(origin, "gradient", found.gradient, gradient, tolerance);
  compare(origin, "Hessian", found.hessian, hessian, tolerance);
}

/// The same of a function of n numbers.
template <class F, std::size_t n, class... More>
void check(const char* origin, F, const std::array<double, n>& x, double value, const std::array<double, n>& gradient,
           const More&... more) {
  check_of_array(origin, of_array<F>{}, x, value, gradient, more...);
}
template <class F, std::size_t n, class... More>
void check(const char* origin, F, const std::array<double, n>& x, double value, const std::array<double, n>& gradient,
           const std::array<std::array<double, n>, n>& hessian, const More&... more) {
  check_of_array(origin, of_array<F>{}, x, value, gradient, hessian, more...);
}

/// Values and Jacobian; F takes an array and returns one.
template <class F, std::size_t n,
          class Found = decltype(tapeless::value_and_jacobian(F{})(std::declval<const std::array<double, n>&>()))>
void check_jacobian(const char* origin, F f, const std::array<double, n>& x, const decltype(Found::value)& values,
                    const decltype(Found::jacobian)& jacobian, double tolerance = 1e-13) {
  const Found found = tapeless::value_and_jacobian(f)(x);
  compare(origin, "value", found.value, values, tolerance);
  compare(origin, "Jacobian", found.jacobian, jacobian, tolerance);
}

/// Compressed rows against a dense matrix, whose structural zeros are NaN.
template <class Sparse, std::size_t n, std::size_t m>
void check_sparse(const char* origin, const Sparse& found, const std::array<std::array<double, n>, m>& expected) {
  for (std::size_t i = 0; i < m; ++i) {
    std::array<double, n> row;
    row.fill(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = found.row_begin[i]; k < found.row_begin[i + 1]; ++k) row[found.columns[k]] = found.values[k];
    compare(origin + (", row " + std::to_string(i)), "entry", row, expected[i]);
  }
}

/// The derivatives of orders 0 to n + 1 of a function of one number: n by forward sweeps inside each other, and one
/// more of each by reverse mode.
template <class F, std::size_t size>
void check_orders(const char* origin, F, double x, const std::array<double, size>& expected, double tolerance = 1e-13) {
  const auto [forward, reverse] = tapeless::value_and_jacobian(derivatives_up_to<F, int{size} - 2>{})(x);
  for (std::size_t i = 0; i + 1 < size; ++i) {
    compare(origin + (", order " + std::to_string(i)), "forward", forward[i], expected[i], tolerance);
    compare(origin + (", order " + std::to_string(i + 1)), "reverse", reverse[i][0], expected[i + 1], tolerance);
  }
}

}  // namespace outside

#endif
