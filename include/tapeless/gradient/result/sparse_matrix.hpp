#pragma once

#include <tapeless/core/variable.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The entries of a Jacobian or Hessian that are not structural zeros, in compressed rows: row i has them in the
/// columns `columns[k]`, for k from `row_begin[i]` to `row_begin[i + 1]`. Of a Hessian, which is symmetric, it is the
/// upper triangle.
template <std::size_t Rows, std::size_t Entries, bool Symmetric>
struct sparsity_pattern {
  static constexpr std::size_t rows = Rows, entries = Entries;
  static constexpr bool symmetric = Symmetric;

  std::array<std::size_t, Rows + 1> row_begin{};
  std::array<std::size_t, Entries> columns{};

  constexpr bool operator==(const sparsity_pattern&) const = default;
};

namespace detail {

/// The entries of a sparse matrix that the pass `Pass` appends to its program.
template <class Pass, bool Symmetric, bool = program::problem_of<program::frozen<Pass>> == program::fault::none>
struct sparse_entries {
  using all = program::frozen<Pass>;
  static constexpr std::size_t count = all::value.places.size();
  static constexpr std::size_t rows = Pass::outputs().size();

  using pattern_type = sparsity_pattern<rows, count, Symmetric>;
  static constexpr pattern_type pattern = [] {
    pattern_type result;
    std::size_t row = 0, next = 0;
    for (const program::matrix_place& place : all::value.places) {
      while (row < static_cast<std::size_t>(place.row)) result.row_begin[++row] = next;
      result.columns[next++] = static_cast<std::size_t>(place.column);
    }
    while (row < rows) result.row_begin[++row] = next;
    return result;
  }();

  /// The entries, ready for evaluation.
  using finished = program::finished<all, all::value.outputs.size() - count, all::value.outputs.size()>;
};
/// What is wrong is reported where it is called.
template <class Pass, bool Symmetric>
struct sparse_entries<Pass, Symmetric, false> {
  using all = program::frozen<Pass>;
  using finished = all;
};

template <class Source, int... Variables>
struct sparse_derivative<Source, std::integer_sequence<int, Variables...>, false> {
  using type = sparse_entries<program::append_sparse<program::append_jacobian<Source, Variables...>, false>, false>;
};
template <class Source, int... Variables>
struct sparse_derivative<Source, std::integer_sequence<int, Variables...>, true> {
  using gradient = program::frozen<program::append_gradient<Source, Variables...>>;
  using type = sparse_entries<program::append_sparse<program::append_hessian<gradient, Variables...>, true>, true>;
};
template <class Source, class Variables, bool Second>
using sparse_derivative_t = typename sparse_derivative<Source, Variables, Second>::type;

/// Which entries a sparse matrix has; `void` for other verbs.
template <verb V, class Source, class Variables>
using entries_of =
    typename std::conditional_t<V.is_sparse(), sparse_derivative<Source, Variables, V.what == derives::sparse_hessian>,
                                std::type_identity<void>>::type;

}  // namespace detail

/// A matrix without its structural zeros, the entries that are zero for all values: the numbers `values`, and the
/// constants `row_begin` and `columns`, as in `sparsity_pattern`.
template <class Entries, class T>
struct sparse_matrix {
  static constexpr auto pattern = Entries::pattern;
  static constexpr auto row_begin = pattern.row_begin;
  static constexpr auto columns = pattern.columns;
  std::array<T, Entries::count> values;

  /// Entry (i, j), 0 where none is stored. Cost: a search in the row.
  constexpr T operator()(std::size_t i, std::size_t j) const {
    if (pattern.symmetric && j < i) return (*this)(j, i);
    for (std::size_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
      if (columns[k] == j) return values[k];
    return T(0);
  }
};
/// A sparse matrix with variables for the columns, and for the rows of a Hessian: `j(i, x)`, `h(x, y)`.
template <class Entries, class T, class Variables>
struct sparse_map;
template <class Entries, class T, class... Vs>
struct sparse_map<Entries, T, wrt_variables<Vs...>> : sparse_matrix<Entries, T> {
  template <class I, class J>
  constexpr T operator()(const I& i, const J& j) const {
    return sparse_matrix<Entries, T>::operator()(position(i), position(j));
  }

 private:
  template <class I>
  static constexpr std::size_t position(const I& i) {
    if constexpr (is_variable<I>) {
      static_assert(detail::is_one_of<I, Vs...>,
                    "tapeless: the result has no entry for this variable; name it in wrt(...) [TL065]");
      return detail::position_in<I, Vs...>();
    } else
      return static_cast<std::size_t>(i);
  }
};

}  // namespace tapeless
