#pragma once

#include <tapeless/program/pass/pass.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

/// What a verb derives from its operand.
enum class derives {
  nothing,
  gradient,
  jacobian,
  hessian,
  tangent,
  pullback,
  hessian_product,
  sparse_jacobian,
  sparse_hessian
};

/// A verb is a value that says what to derive, and whether it returns the value too. `verb_program` says what it needs
/// of an operand's program, `read_results` and, for arrays, `placed_results` make its result, and operands say how
/// results are arranged.
struct verb {
  derives what = derives::nothing;
  bool with_value = false;
  /// Whether it is compared with differences, for which integers are held.
  bool checked = false;

  constexpr bool operator==(const verb&) const = default;
  /// Whether its operand has one output, a number.
  constexpr bool scalar_valued() const {
    return what == derives::gradient || what == derives::hessian || what == derives::hessian_product ||
           what == derives::sparse_hessian;
  }
  constexpr bool is_sparse() const { return what == derives::sparse_jacobian || what == derives::sparse_hessian; }
  /// Whether its results are the entries of a matrix.
  constexpr bool is_matrix() const { return what == derives::jacobian || what == derives::hessian || is_sparse(); }
  /// Whether it derives by variables; a value by none, a tangent along a direction.
  constexpr bool by_variables() const { return what != derives::nothing && what != derives::tangent; }
  /// Whether it takes tangents.
  constexpr bool takes_tangents() const { return what == derives::tangent || what == derives::hessian_product; }
  /// Whether it works on single numbers, not on tensors.
  constexpr bool of_numbers() const { return is_sparse() || checked; }
  /// Whether integers may be among the arguments that it derives by.
  constexpr bool passes_integers() const { return checked || takes_tangents() || what == derives::nothing; }
};

inline constexpr verb value_verb{derives::nothing, true};

constexpr std::size_t triangle(std::size_t n) { return n * (n + 1) / 2; }

/// The entries of the Jacobian, or where it is `Second` of the Hessian, of a program by variables: result_maps.hpp.
template <class Source, class Variables, bool Second>
struct sparse_derivative;

/// The program that the verb `V` evaluates for the operand's program `Source`: the values where it gives them, then
/// what it derives by `Variables`; of a Hessian with its value the gradient too, and of a Hessian the upper triangle,
/// column by column. Tangents, and the cotangents of all outputs, are further variables, its seeds. `N` is the number
/// of derivatives of an output: over tensors one for each use of a variable.
template <verb V, class Source, class Variables, class Directions = Variables, std::size_t N = Variables::size()>
struct verb_program;
template <verb V, class Source, int... Variables, int... Directions, std::size_t N>
struct verb_program<V, Source, std::integer_sequence<int, Variables...>, std::integer_sequence<int, Directions...>, N> {
  static constexpr auto find() {
    using namespace program;
    using enum derives;
    constexpr std::size_t values = Source::value.outputs.size();
    constexpr std::size_t first = V.with_value ? 0 : values;
    if constexpr (V.what == nothing) {
      return std::type_identity<finished<Source, 0, values>>{};
    } else if constexpr (V.what == gradient) {
      return std::type_identity<finished<frozen<append_gradient<Source, Variables...>>, first, 1 + N>>{};
    } else if constexpr (V.what == jacobian) {
      return std::type_identity<finished<frozen<append_jacobian<Source, Variables...>>, first, values * (1 + N)>>{};
    } else if constexpr (V.what == hessian) {
      using all = frozen<append_hessian<frozen<append_gradient<Source, Variables...>>, Variables...>>;
      return std::type_identity<finished<all, V.with_value ? 0 : 1 + N, 1 + N + triangle(N)>>{};
    } else if constexpr (V.what == tangent) {
      return std::type_identity<finished<frozen<append_tangents<Source, 0, Directions...>>, first, 2 * values>>{};
    } else if constexpr (V.what == pullback) {
      return std::type_identity<finished<frozen<append_pullback<Source, Variables...>>, first, values + N>>{};
    } else if constexpr (V.what == hessian_product) {
      using all = frozen<append_tangents<frozen<append_gradient<Source, Variables...>>, 1, Directions...>>;
      return std::type_identity<finished<all, 1 + N, 1 + 2 * N>>{};
    } else {
      using variables = std::integer_sequence<int, Variables...>;
      using entries = typename sparse_derivative<Source, variables, V.what == sparse_hessian>::type;
      return std::type_identity<typename entries::finished>{};
    }
  }
  using type = typename decltype(find())::type;
};

}  // namespace tapeless::detail
