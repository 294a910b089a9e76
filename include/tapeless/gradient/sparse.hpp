#ifndef TAPELESS_GRADIENT_SPARSE_HPP
#define TAPELESS_GRADIENT_SPARSE_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/jacobian.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace tapeless {

/// Which entries of a Jacobian or Hessian are not zero by structure, in compressed rows: row i has them in the columns
/// `columns[k]` for k from `row_begin[i]` to `row_begin[i + 1]`. Of a Hessian, which is symmetric, it is the upper
/// triangle.
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

/// The entries of the Jacobian, or where it is `Second` of the Hessian, of a program by variables.
template <class Source, class Variables, bool Second>
struct sparse_derivative;
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

}  // namespace detail

/// A matrix of which only the entries that are not zero by structure are computed and stored: the numbers `values`, and
/// the constants `row_begin` and `columns` that say where they stand, as in `sparsity_pattern`.
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
/// The same with variables for the columns, and for the rows of a Hessian: `j(i, x)`, `h(x, y)`.
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
      static_assert((std::is_same_v<I, Vs> || ...),
                    "tapeless: the result has no entry for this variable; name it in wrt(...)");
      return detail::position_in<I, Vs...>();
    } else
      return static_cast<std::size_t>(i);
  }
};

/// The sparse Jacobian of formulas, or where it is `Second` the sparse Hessian of one, as a function of their
/// variables' values; made by `sparse_jacobian` and `sparse_hessian`.
template <class F, class Variables, bool Second>
class formula_sparse : public called_with_values<formula_sparse<F, Variables, Second>> {
 public:
  using source = detail::lowered<F>;
  using requested = Variables;
  template <class Source>
  using entries = detail::sparse_derivative_t<Source, detail::indices_in_t<Source, requested>, Second>;
  template <class Source>
  using evaluated = typename entries<Source>::finished;

  constexpr explicit formula_sparse(const F& wrapped) : f_(wrapped) {}

 private:
  friend called_with_values<formula_sparse>;
  [[no_unique_address]] F f_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    using T = detail::evaluation_type_t<F, Bindings...>;
    using numbers = std::array<T, entries<source>::count>;
    const auto done = detail::evaluate_program<T, source, evaluated<source>>(f_, bindings...);
    return sparse_map<entries<source>, T, requested>{{detail::shape_of<numbers>::template read<T, 0>(done)}};
  }
};

/// The same of a traced function as a function of its arguments.
template <class F, bool Second, std::size_t... Positions>
class function_sparse : public detail::function_verb<function_sparse<F, Second, Positions...>, F, Positions...> {
  friend detail::function_verb<function_sparse<F, Second, Positions...>, F, Positions...>;

 public:
  static constexpr bool one_output = Second;
  template <class Source, class Variables>
  using evaluated = typename detail::sparse_derivative_t<Source, Variables, Second>::finished;

 private:
  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    using T = detail::function_real_t<Args...>;
    using source = detail::traced_program<F, Args...>;
    using variables = typename detail::argument_layout<Args...>::template variables<P...>;
    using entries = detail::sparse_derivative_t<source, variables, Second>;
    const scalar::evaluation<evaluated<source, variables>, T> done(detail::function_inputs<T, Args...>{args...});
    return sparse_matrix<entries, T>{detail::shape_of<std::array<T, entries::count>>::template read<T, 0>(done)};
  }
};

namespace detail {

template <class F, bool Second, std::size_t... I>
constexpr auto function_sparse_of(wrt_positions<I...>) {
  return function_sparse<F, Second, I...>{};
}

/// The pattern of a sparse matrix, where it could be made.
template <class Entries>
constexpr auto pattern_of() {
  constexpr bool made = program::problem_of<typename Entries::all> == program::fault::none;
  static_assert(made,
                "tapeless: the program is too large for TAPELESS_MAX_NODES, 16384 where it is not defined, or for the "
                "compiler's limit (clang -fconstexpr-steps, g++ -fconstexpr-ops-limit)");
  if constexpr (made)
    return Entries::pattern;
  else
    return no_result{};
}

template <class G>
inline constexpr bool is_second_derivative = false;
template <class F, class Variables>
inline constexpr bool is_second_derivative<formula_hessian<F, Variables>> = true;
template <class F, std::size_t... I>
inline constexpr bool is_second_derivative<function_hessian<F, I...>> = true;

/// The entries of a verb's result for a function with arguments of the types `Args`.
template <class... Args, class Verb, class F, std::size_t... Positions>
constexpr auto sparse_entries_of(const function_verb<Verb, F, Positions...>&) {
  using variables = typename argument_layout<std::remove_cvref_t<Args>...>::template requested<Positions...>;
  return sparse_derivative_t<traced_program<F, Args...>, variables, is_second_derivative<Verb>>{};
}

}  // namespace detail

/// The Jacobian without its structural zeros, which are neither computed nor stored: `sparse_jacobian(outputs(f1, f2),
/// wrt(x, y))(x = 1.0, y = 2.0)` gives `j` with `j(i, x)`, the numbers `j.values`, and the pattern as constants of its
/// type, `j.row_begin` and `j.columns`. Of a function, columns are numbers: `j(i, k)`.
template <class... Fs, class... Vs>
constexpr auto sparse_jacobian(const output_list<Fs...>& formulas, wrt_variables<Vs...>) {
  return formula_sparse<output_list<Fs...>, wrt_variables<Vs...>, false>(formulas);
}
template <class... Fs>
constexpr auto sparse_jacobian(const output_list<Fs...>& formulas) {
  return sparse_jacobian(formulas, typename detail::formula_variables<output_list<Fs...>>::type{});
}
template <Function F>
constexpr auto sparse_jacobian(const F&) {
  return function_sparse<F, false>{};
}
template <Function F, Position_list Wrt>
constexpr auto sparse_jacobian(const F&, Wrt) {
  return detail::function_sparse_of<F, false>(std::invoke_result_t<Wrt>{});
}
template <class... Ts>
constexpr auto sparse_jacobian(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: sparse_jacobian takes formulas and variables, sparse_jacobian(outputs(f1, f2), wrt(x, y)), "
                "or a lambda or another function object and positions, wrt<0>");
  return detail::no_result{};
}

/// The upper triangle of the Hessian without its structural zeros: `h(x, y)`, either way around, `h.values`,
/// `h.row_begin`, `h.columns`; rows and columns in the order of `wrt`, or of the numbers in the function's arguments.
template <Expression F, class... Vs>
constexpr auto sparse_hessian(const F& f, wrt_variables<Vs...>) {
  return formula_sparse<F, wrt_variables<Vs...>, true>(f);
}
template <Expression F>
constexpr auto sparse_hessian(const F& f) {
  return sparse_hessian(f, typename detail::formula_variables<F>::type{});
}
template <Function F>
constexpr auto sparse_hessian(const F&) {
  return function_sparse<F, true>{};
}
template <Function F, Position_list Wrt>
constexpr auto sparse_hessian(const F&, Wrt) {
  return detail::function_sparse_of<F, true>(std::invoke_result_t<Wrt>{});
}
template <class... Ts>
constexpr auto sparse_hessian(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: sparse_hessian takes a formula and variables, sparse_hessian(f, wrt(x, y)), or a lambda or "
                "another function object and positions, wrt<0>; outputs(...) have a sparse_jacobian");
  return detail::no_result{};
}

/// The pattern of what is not zero by structure, without a value: `sparsity(jacobian(outputs(f1, f2)))`,
/// `sparsity(hessian(f))`; of a function, for arguments of the given types: `sparsity<double, double>(jacobian(f))`.
template <class Outputs, class Variables, bool WithValue>
constexpr auto sparsity(const formula_jacobian<Outputs, Variables, WithValue>&) {
  using source = detail::lowered<Outputs>;
  return detail::pattern_of<detail::sparse_derivative_t<source, detail::indices_in_t<source, Variables>, false>>();
}
template <class F, class Variables>
constexpr auto sparsity(const formula_hessian<F, Variables>&) {
  using source = detail::lowered<F>;
  return detail::pattern_of<detail::sparse_derivative_t<source, detail::indices_in_t<source, Variables>, true>>();
}
template <class Argument, class... Arguments, class F, bool WithValue, std::size_t... I>
constexpr auto sparsity(const function_jacobian<F, WithValue, I...>& verb) {
  return detail::pattern_of<decltype(detail::sparse_entries_of<Argument, Arguments...>(verb))>();
}
template <class Argument, class... Arguments, class F, std::size_t... I>
constexpr auto sparsity(const function_hessian<F, I...>& verb) {
  return detail::pattern_of<decltype(detail::sparse_entries_of<Argument, Arguments...>(verb))>();
}

}  // namespace tapeless

#endif
