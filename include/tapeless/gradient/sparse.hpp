#ifndef TAPELESS_GRADIENT_SPARSE_HPP
#define TAPELESS_GRADIENT_SPARSE_HPP

#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/jacobian.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// The entries of a matrix that are not zero by structure, among the outputs of the program `All` from number `Begin`
/// on: row by row, of a square matrix the lower triangle.
template <class All, std::size_t Begin, std::size_t Rows, std::size_t Columns, bool Triangle>
struct sparsity {
  static constexpr std::size_t length(std::size_t row) { return Triangle ? row + 1 : Columns; }
  static constexpr std::size_t entries = Triangle ? triangle(Rows) : Rows * Columns;
  static constexpr bool is_stored(std::size_t entry) {
    return !All::value.is_absolute_zero(All::value.output(Begin + entry));
  }
  static constexpr std::size_t count = [] {
    std::size_t stored = 0;
    for (std::size_t i = 0; i < entries; ++i) stored += is_stored(i);
    return stored;
  }();

  std::array<std::size_t, Rows + 1> row_begin{};
  std::array<std::size_t, count> columns{};

  constexpr sparsity() {
    std::size_t entry = 0, next = 0;
    for (std::size_t i = 0; i < Rows; ++i) {
      for (std::size_t j = 0; j < length(i); ++j)
        if (is_stored(entry++)) columns[next++] = j;
      row_begin[i + 1] = next;
    }
  }

  /// The outputs that are stored, ready for evaluation.
  struct pass {
    static constexpr program::builder run() {
      std::array<int, count> outputs{};
      std::size_t next = 0;
      for (std::size_t i = 0; i < entries; ++i)
        if (is_stored(i)) outputs[next++] = All::value.output(Begin + i);
      return program::finish<All>(outputs);
    }
  };
  using finished = program::frozen<pass>;
};

}  // namespace detail

/// A matrix of which only the entries that are not zero by structure are computed and stored, in compressed rows: row i
/// has the entries `values[k]` in the columns `columns[k]` for k from `row_begin[i]` to `row_begin[i + 1]`. The
/// pattern is a constant.
template <class Pattern, class T>
struct sparse_matrix {
  static constexpr Pattern pattern{};
  static constexpr auto row_begin = pattern.row_begin;
  static constexpr auto columns = pattern.columns;
  std::array<T, Pattern::count> values;

  /// Entry (i, j), 0 where none is stored. Cost: a search in the row.
  constexpr T operator()(std::size_t i, std::size_t j) const {
    for (std::size_t k = row_begin[i]; k < row_begin[i + 1]; ++k)
      if (columns[k] == j) return values[k];
    return T(0);
  }
};
/// The same with a variable for the column.
template <class Pattern, class T, class Variables>
struct sparse_jacobian_map;
template <class Pattern, class T, class... Vs>
struct sparse_jacobian_map<Pattern, T, wrt_variables<Vs...>> : sparse_matrix<Pattern, T> {
  using sparse_matrix<Pattern, T>::operator();
  template <class I, Expression V>
  constexpr T operator()(const I& i, const V&) const {
    return (*this)(static_cast<std::size_t>(i), detail::position_in<V, Vs...>());
  }
};

/// The sparse Jacobian of formulas as a function of their variables' values; made by `sparse_jacobian`.
template <class Outputs, class Variables>
class formula_sparse_jacobian;
template <class Outputs, class... Vs>
class formula_sparse_jacobian<Outputs, wrt_variables<Vs...>>
    : public called_with_values<formula_sparse_jacobian<Outputs, wrt_variables<Vs...>>> {
 public:
  using source = detail::lowered<Outputs>;
  using requested = wrt_variables<Vs...>;

 private:
  template <class Source>
  using pattern =
      detail::sparsity<typename detail::jacobian_program<Source, detail::indices_in_t<Source, requested>>::type,
                       Outputs::size, Outputs::size, sizeof...(Vs), false>;

 public:
  template <class Source>
  using evaluated = typename pattern<Source>::finished;

  constexpr explicit formula_sparse_jacobian(const Outputs& wrapped) : outputs_(wrapped) {}

 private:
  friend called_with_values<formula_sparse_jacobian>;
  Outputs outputs_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    using T = detail::evaluation_type_t<Outputs, Bindings...>;
    using P = pattern<source>;
    const auto done = detail::evaluate_program<T, source, evaluated<source>>(outputs_, bindings...);
    return sparse_jacobian_map<P, T, requested>{{detail::shape_of<std::array<T, P::count>>::template read<T, 0>(done)}};
  }
};

/// The sparse Jacobian of a traced function as a function of its arguments; made by `sparse_jacobian`.
template <class F, std::size_t... Positions>
class function_sparse_jacobian
    : public detail::function_verb<function_sparse_jacobian<F, Positions...>, F, Positions...> {
  friend detail::function_verb<function_sparse_jacobian<F, Positions...>, F, Positions...>;

  template <class Source, class Variables>
  using pattern =
      detail::sparsity<typename detail::jacobian_program<Source, Variables>::type, Source::value.outputs.size(),
                       Source::value.outputs.size(), Variables::size(), false>;

 public:
  static constexpr bool one_output = false;
  template <class Source, class Variables>
  using evaluated = typename pattern<Source, Variables>::finished;

 private:
  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    using T = detail::function_real_t<Args...>;
    using source = detail::traced_program<F, Args...>;
    using variables = typename detail::argument_layout<Args...>::template variables<P...>;
    using entries = pattern<source, variables>;
    const scalar::evaluation<evaluated<source, variables>, T> done(detail::function_inputs<T, Args...>{args...});
    return sparse_matrix<entries, T>{detail::shape_of<std::array<T, entries::count>>::template read<T, 0>(done)};
  }
};

/// The lower triangle of the sparse Hessian of a formula; made by `sparse_hessian`.
template <class F, class Variables>
class formula_sparse_hessian;
template <class F, class... Vs>
class formula_sparse_hessian<F, wrt_variables<Vs...>>
    : public called_with_values<formula_sparse_hessian<F, wrt_variables<Vs...>>> {
 public:
  using source = detail::lowered<F>;
  using requested = wrt_variables<Vs...>;

 private:
  template <class Source>
  using pattern =
      detail::sparsity<typename detail::hessian_program<Source, detail::indices_in_t<Source, requested>>::type,
                       1 + sizeof...(Vs), sizeof...(Vs), sizeof...(Vs), true>;

 public:
  template <class Source>
  using evaluated = typename pattern<Source>::finished;

  constexpr explicit formula_sparse_hessian(const F& wrapped) : f_(wrapped) {}

 private:
  friend called_with_values<formula_sparse_hessian>;
  [[no_unique_address]] F f_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    using T = detail::evaluation_type_t<F, Bindings...>;
    using P = pattern<source>;
    const auto done = detail::evaluate_program<T, source, evaluated<source>>(f_, bindings...);
    return sparse_matrix<P, T>{detail::shape_of<std::array<T, P::count>>::template read<T, 0>(done)};
  }
};

/// The lower triangle of the sparse Hessian of a traced function; made by `sparse_hessian`.
template <class F, std::size_t... Positions>
class function_sparse_hessian
    : public detail::function_verb<function_sparse_hessian<F, Positions...>, F, Positions...> {
  friend detail::function_verb<function_sparse_hessian<F, Positions...>, F, Positions...>;

  template <class Source, class Variables>
  using pattern = detail::sparsity<typename detail::hessian_program<Source, Variables>::type, 1 + Variables::size(),
                                   Variables::size(), Variables::size(), true>;

 public:
  static constexpr bool one_output = true;
  template <class Source, class Variables>
  using evaluated = typename pattern<Source, Variables>::finished;

 private:
  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    using T = detail::function_real_t<Args...>;
    using source = detail::traced_program<F, Args...>;
    using variables = typename detail::argument_layout<Args...>::template variables<P...>;
    using entries = pattern<source, variables>;
    const scalar::evaluation<evaluated<source, variables>, T> done(detail::function_inputs<T, Args...>{args...});
    return sparse_matrix<entries, T>{detail::shape_of<std::array<T, entries::count>>::template read<T, 0>(done)};
  }
};

namespace detail {

template <class F, std::size_t... I>
constexpr auto function_sparse_jacobian_of(wrt_positions<I...>) {
  return function_sparse_jacobian<F, I...>{};
}
template <class F, std::size_t... I>
constexpr auto function_sparse_hessian_of(wrt_positions<I...>) {
  return function_sparse_hessian<F, I...>{};
}

}  // namespace detail

/// The Jacobian without its structural zeros, which are neither computed nor stored: `sparse_jacobian(outputs(f1, f2),
/// wrt(x, y))(x = 1.0, y = 2.0)` gives `j` with `j(i, x)`, the numbers `j.values`, and the pattern as constants of its
/// type, `j.row_begin` and `j.columns`. Of a function, columns are numbers: `j(i, k)`.
template <class... Fs, class... Vs>
constexpr auto sparse_jacobian(const output_list<Fs...>& formulas, wrt_variables<Vs...>) {
  return formula_sparse_jacobian<output_list<Fs...>, wrt_variables<Vs...>>(formulas);
}
template <class... Fs>
constexpr auto sparse_jacobian(const output_list<Fs...>& formulas) {
  return sparse_jacobian(formulas, typename detail::formula_variables<output_list<Fs...>>::type{});
}
template <Function F>
constexpr auto sparse_jacobian(const F&) {
  return function_sparse_jacobian<F>{};
}
template <Function F, Position_list Wrt>
constexpr auto sparse_jacobian(const F&, Wrt) {
  return detail::function_sparse_jacobian_of<F>(std::invoke_result_t<Wrt>{});
}

/// The lower triangle of the Hessian without its structural zeros: `h(i, j)` for i >= j, `h.values`, `h.row_begin`,
/// `h.columns`; rows and columns in the order of `wrt`, or of the function's arguments.
template <Expression F, class... Vs>
constexpr auto sparse_hessian(const F& f, wrt_variables<Vs...>) {
  return formula_sparse_hessian<F, wrt_variables<Vs...>>(f);
}
template <Expression F>
constexpr auto sparse_hessian(const F& f) {
  return sparse_hessian(f, typename detail::formula_variables<F>::type{});
}
template <Function F>
constexpr auto sparse_hessian(const F&) {
  return function_sparse_hessian<F>{};
}
template <Function F, Position_list Wrt>
constexpr auto sparse_hessian(const F&, Wrt) {
  return detail::function_sparse_hessian_of<F>(std::invoke_result_t<Wrt>{});
}

}  // namespace tapeless

#endif
