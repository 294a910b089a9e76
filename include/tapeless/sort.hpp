#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/evaluate/kernels/matrices.hpp>
#include <tapeless/operation/tensor/arrangement.hpp>
#include <tapeless/operation/tensor/indexing.hpp>
#include <tapeless/program/differentiate/matrix_rule.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tapeless {

namespace operation {

/// The elements of columns in the order that the elements of `keys` have, or `Back` from that order to their own.
template <bool Back>
struct Reorder {
  static constexpr std::string_view name = Back ? "reorder_back" : "reorder";
  static constexpr bool of_matrices = true;
  static constexpr bool passes(int which) { return which == 0; }

  /// By bits: the order of numbers and NaN has none of the properties that std::sort needs, and with -ffast-math
  /// compilers take x != x for false.
  template <class T>
  static bool is_nan(T x) {
    if constexpr (sizeof(T) > sizeof(std::uint64_t)) {
      return x != x;
    } else {
      using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
      return (std::bit_cast<bits>(x) << 1) > (std::bit_cast<bits>(std::numeric_limits<T>::infinity()) << 1);
    }
  }
  template <class T>
  static void compute(const loops::strided<T>& to, const loops::strided<T>& from, const loops::strided<T>& keys) {
    loops::for_each_matrix(to, [&](const auto& at) {
      const loops::matrix<T> result = loops::matrix_at(to, at), given = loops::matrix_at(from, at),
                             key = loops::matrix_at(keys, at);
      std::ptrdiff_t* const order = loops::memory_of_thread<std::ptrdiff_t, 0>(result.rows);
      const auto at_row = [&](std::ptrdiff_t i) { return key.data[i * key.row]; };
      std::ptrdiff_t numbers = 0, end = result.rows;
      for (std::ptrdiff_t i = 0; i < result.rows; ++i)
        if (!is_nan(at_row(i))) order[numbers++] = i;
      for (std::ptrdiff_t i = result.rows - 1; end > numbers; --i)
        if (is_nan(at_row(i))) order[--end] = i;
      std::sort(order, order + numbers, [&](std::ptrdiff_t i, std::ptrdiff_t j) {
        return at_row(i) < at_row(j) || (at_row(i) == at_row(j) && i < j);
      });
      for (std::ptrdiff_t i = 0; i < result.rows; ++i) {
        const std::ptrdiff_t sorted = Back ? i : order[i], own = Back ? order[i] : i;
        result.data[own * result.row] = given.data[sorted * given.row];
      }
    });
  }
  static constexpr program::matrix_value pullback(int, const program::matrix_value& adjoint,
                                                  const program::matrix_value&, const program::matrix_value* m) {
    return program::matrix_value::of<Reorder<!Back>>(m[0], adjoint, m[1]);
  }
  static constexpr program::matrix_value tangent(int, const program::matrix_value& t,
                                                 const program::matrix_value& result, const program::matrix_value* m) {
    return program::matrix_value::of<Reorder>(result, t, m[1]);
  }
};

template <int Axis>
struct Sort {
  static constexpr std::string_view name = "sort";
  static constexpr auto lower = [](auto& to, const auto& operand) {
    const int position = to.at(operand, Axis);
    if (position < 0) return operand;
    auto result = operand, columns = operand;
    for (int i = position; i + 1 < operand.rank; ++i) columns.axes[i] = operand.axes[i + 1];
    columns.axes[operand.rank - 1] = operand.axes[position];
    // A matrix of one column for each place along the other axes.
    columns = to.expand_dims(columns, -1);
    result.node = to.template of_matrices<Reorder<false>>(columns, columns, columns).node;
    return result;
  };
};

}  // namespace operation

/// The elements in increasing order along an axis, `sort<0>(e)`, NaN behind all numbers, as NumPy's `sort`. Derivatives
/// go to the elements where they come from; of equal ones the first in `e` stays the first. For n elements n log n
/// comparisons, and as many again in the backward pass.
template <int Axis = -1, Symbolic E>
constexpr auto sort(const E& e) {
  return apply<operation::Sort<Axis>>(e);
}

/// The `k` largest elements along an axis in decreasing order, `top_k<0>(e, 3)`: what JAX's `lax.top_k` gives for
/// the last axis, without its indices. NaN counts as larger than all numbers. Of equal elements the last in `e` comes
/// first and has the derivative, where JAX takes the first.
template <int Axis = -1, Symbolic E, Operand K>
constexpr auto top_k(const E& e, K k) {
  return slice<Axis>(flip<Axis>(sort<Axis>(e)), 0_c, k);
}

}  // namespace tapeless
