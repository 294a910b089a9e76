#ifndef TAPELESS_GRADIENT_JACOBIAN_HPP
#define TAPELESS_GRADIENT_JACOBIAN_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/gradient.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// Outputs: the values, then the Jacobian row by row.
template <class Source, class Variables>
struct jacobian_program;
template <class Source, int... Variables>
struct jacobian_program<Source, std::integer_sequence<int, Variables...>> {
  using type = program::frozen<program::append_jacobian<Source, Variables...>>;
};

/// The numbers of a `std::array` from the outputs of an evaluation in parts, `First` on.
template <class Part, std::size_t First, class Evaluation>
TAPELESS_ALWAYS_INLINE constexpr Part compute_part(Evaluation& evaluation) {
  evaluation.template compute<First, First + std::tuple_size_v<Part>>();
  return shape_of<Part>::template read<typename Part::value_type, First>(evaluation);
}

/// Rows of `Columns` numbers from the outputs of an evaluation in parts, `First` on.
template <class T, std::size_t First, std::size_t Columns, class Evaluation, std::size_t... Row>
TAPELESS_ALWAYS_INLINE constexpr auto compute_rows(Evaluation& evaluation, std::index_sequence<Row...>) {
  return std::array<std::array<T, Columns>, sizeof...(Row)>{
      compute_part<std::array<T, Columns>, First + Row * Columns>(evaluation)...};
}

}  // namespace detail

/// The Jacobian of formulas as a function of their variables' values; made by `jacobian` and `value_and_jacobian`.
template <class Outputs, class Variables, bool WithValue>
class formula_jacobian;
template <class Outputs, class... Vs, bool WithValue>
class formula_jacobian<Outputs, wrt_variables<Vs...>, WithValue>
    : public called_with_values<formula_jacobian<Outputs, wrt_variables<Vs...>, WithValue>> {
  static constexpr std::size_t rows = Outputs::size, first = WithValue ? 0 : rows;

 public:
  using source = detail::lowered<Outputs>;
  using requested = wrt_variables<Vs...>;
  template <class Source>
  using evaluated =
      program::finished<typename detail::jacobian_program<Source, detail::indices_in_t<Source, requested>>::type, first,
                        rows + rows * sizeof...(Vs)>;

  constexpr explicit formula_jacobian(const Outputs& wrapped) : outputs_(wrapped) {}
  constexpr const Outputs& wrapped() const { return outputs_; }

 private:
  friend called_with_values<formula_jacobian>;
  Outputs outputs_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    using T = detail::evaluation_type_t<Outputs, Bindings...>;
    using map = jacobian_map<requested, T, rows>;
    constexpr auto all = std::make_index_sequence<rows>{};
    auto parts = detail::evaluate_in_parts<T, source, evaluated<source>>(outputs_, bindings...);
    // The results are made where they stay: what is copied once more compilers keep in memory.
    if constexpr (WithValue)
      return value_and_jacobian_result{detail::compute_part<std::array<T, rows>, 0>(parts),
                                       map{detail::compute_rows<T, rows, sizeof...(Vs)>(parts, all)}};
    else
      return map{detail::compute_rows<T, 0, sizeof...(Vs)>(parts, all)};
  }
};

/// The Jacobian of a traced function as a function of its arguments; made by `jacobian` and `value_and_jacobian`.
template <class F, bool WithValue, std::size_t... Positions>
class function_jacobian : public detail::function_verb<function_jacobian<F, WithValue, Positions...>, F, Positions...> {
  friend detail::function_verb<function_jacobian<F, WithValue, Positions...>, F, Positions...>;

 public:
  static constexpr bool one_output = false;
  template <class Source, class Variables>
  using evaluated = program::finished<typename detail::jacobian_program<Source, Variables>::type,
                                      WithValue ? 0 : Source::value.outputs.size(),
                                      Source::value.outputs.size() * (1 + Variables::size())>;

 private:
  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    using T = detail::function_real_t<Args...>;
    using layout = detail::argument_layout<Args...>;
    using source = detail::traced_program<F, Args...>;
    constexpr std::size_t rows = source::value.outputs.size(), columns = (layout::sizes[P] + ... + 0);
    constexpr auto all = std::make_index_sequence<rows>{};
    using evaluation = scalar::evaluation<evaluated<source, typename layout::template variables<P...>>, T>;
    evaluation parts(detail::function_inputs<T, Args...>{args...}, scalar::in_parts{});
    if constexpr (WithValue)
      return value_and_jacobian_result{detail::compute_part<std::array<T, rows>, 0>(parts),
                                       detail::compute_rows<T, rows, columns>(parts, all)};
    else
      return detail::compute_rows<T, 0, columns>(parts, all);
  }
};

namespace detail {

template <class F, bool WithValue, std::size_t... I>
constexpr auto function_jacobian_of(wrt_positions<I...>) {
  return function_jacobian<F, WithValue, I...>{};
}

}  // namespace detail

/// The Jacobian of formulas: `jacobian(outputs(f1, f2), wrt(x, y))(x = 1.0, y = 2.0)` gives `j` with `j(i, x)`. By
/// reverse sweeps, one an output, or forward sweeps, one a variable, whichever are fewer; all share one program.
template <class... Fs, class... Vs>
constexpr auto jacobian(const output_list<Fs...>& formulas, wrt_variables<Vs...>) {
  return formula_jacobian<output_list<Fs...>, wrt_variables<Vs...>, false>(formulas);
}
template <class... Fs>
constexpr auto jacobian(const output_list<Fs...>& formulas) {
  return jacobian(formulas, typename detail::formula_variables<output_list<Fs...>>::type{});
}

/// The Jacobian of a function that returns a `std::array`: `std::array<std::array<T, n>, m>`, a row an output; n counts
/// the numbers of the arguments, or of those named by position: `jacobian(f, wrt<0>)`.
template <Function F>
constexpr auto jacobian(const F&) {
  return function_jacobian<F, false>{};
}
template <Function F, Position_list Wrt>
constexpr auto jacobian(const F&, Wrt) {
  return detail::function_jacobian_of<F, false>(std::invoke_result_t<Wrt>{});
}
template <class... Ts>
constexpr auto jacobian(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: jacobian takes formulas and variables, jacobian(outputs(f1, f2), wrt(x, y)), or a lambda or "
                "another function object and positions, wrt<0>; a formula alone has a gradient");
  return detail::no_result{};
}

/// Values and Jacobian, sharing their work: the result has `.value`, a `std::array`, and `.jacobian`.
template <class... Fs, class... Vs>
constexpr auto value_and_jacobian(const output_list<Fs...>& formulas, wrt_variables<Vs...>) {
  return formula_jacobian<output_list<Fs...>, wrt_variables<Vs...>, true>(formulas);
}
template <class... Fs>
constexpr auto value_and_jacobian(const output_list<Fs...>& formulas) {
  return value_and_jacobian(formulas, typename detail::formula_variables<output_list<Fs...>>::type{});
}
template <Function F>
constexpr auto value_and_jacobian(const F&) {
  return function_jacobian<F, true>{};
}
template <Function F, Position_list Wrt>
constexpr auto value_and_jacobian(const F&, Wrt) {
  return detail::function_jacobian_of<F, true>(std::invoke_result_t<Wrt>{});
}
template <class... Ts>
constexpr auto value_and_jacobian(const Ts&...) {
  static_assert(detail::is_reported<Ts...>,
                "tapeless: value_and_jacobian takes formulas and variables, value_and_jacobian(outputs(f1, f2), "
                "wrt(x, y)), or a lambda or another function object and positions, wrt<0>; a formula alone has a "
                "gradient");
  return detail::no_result{};
}

}  // namespace tapeless

#endif
