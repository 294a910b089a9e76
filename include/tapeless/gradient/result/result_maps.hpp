#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/core/variable_list.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <boost/hana/fwd/any_of.hpp>
#include <boost/hana/fwd/at_key.hpp>
#include <boost/hana/fwd/bool.hpp>
#include <boost/hana/fwd/find.hpp>
#include <boost/hana/fwd/find_if.hpp>
#include <boost/hana/fwd/optional.hpp>
#include <boost/hana/fwd/transform.hpp>
#include <boost/hana/fwd/unpack.hpp>
#include <boost/hana/pair.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

template <class V, class T>
struct gradient_entry {
  T value;
};

}  // namespace detail

/// The tag of gradients for Boost.Hana.
struct gradient_map_tag {};

/// Derivatives by variable: `g[x]`. A structural zero, a derivative that is zero for all values, has the type `Zero`,
/// which reads, compares and computes as 0.0. For Boost.Hana it is a Foldable of pairs (variable, derivative), a
/// Searchable by variable, and a Functor over the derivatives: `hana::transform(g, f)` is the gradient map of
/// `f(derivative)`.
template <class Variables, class... Values>
struct gradient_map;
template <class... Vs, class... Values>
struct gradient_map<wrt_variables<Vs...>, Values...> : detail::gradient_entry<Vs, Values>... {
  using hana_tag = gradient_map_tag;

  constexpr gradient_map()
    requires(sizeof...(Vs) > 0)
  = default;
  TAPELESS_ALWAYS_INLINE constexpr explicit gradient_map(const Values&... values)
      : detail::gradient_entry<Vs, Values>{values}... {}

  template <class V>
  static constexpr bool contains = detail::is_one_of<V, Vs...>;

  template <class V>
  constexpr const auto& operator[](const V&) const {
    static_assert(contains<V>, "tapeless: the result has no entry for this variable; name it in wrt(...) [TL065]");
    if constexpr (contains<V>)
      return value<V>(*this);
    else
      return constant<0>;
  }

  /// The derivatives by the variables of a list, as a tuple.
  template <class... Us>
  constexpr auto operator[](const variable_list<Us...>&) const {
    return std::tuple((*this)[Us{}]...);
  }

  /// For structured bindings: in the order of `wrt`.
  template <std::size_t I>
  constexpr const auto& get() const {
    return (*this)[typename detail::type_at<I, Vs...>::type{}];
  }

  /// f(pair(variable, derivative)...), in the order of `wrt`.
  template <class F>
  constexpr decltype(auto) unpack(F&& f) const {
    return static_cast<F&&>(f)(boost::hana::make_pair(Vs{}, (*this)[Vs{}])...);
  }

  /// The derivatives mapped by `f`.
  template <class F>
  constexpr auto transform(const F& f) const {
    return gradient_map<wrt_variables<Vs...>, std::remove_cvref_t<decltype(f((*this)[Vs{}]))>...>(f((*this)[Vs{}])...);
  }

 private:
  template <class V, class T>
  static constexpr const T& value(const detail::gradient_entry<V, T>& entry) {
    return entry.value;
  }
};

/// A value and the derivatives there; a structured binding takes it apart.
template <class Value, class Gradient>
struct value_and_gradient_result {
  Value value;
  Gradient gradient;
};
template <class Value, class Gradient>
value_and_gradient_result(Value, Gradient) -> value_and_gradient_result<Value, Gradient>;

/// Second derivatives: `h(x, y)`. The upper triangle is stored, column by column.
template <class Variables, class T>
struct hessian_map;
template <class... Vs, class T>
struct hessian_map<wrt_variables<Vs...>, T> {
  std::array<T, sizeof...(Vs) * (sizeof...(Vs) + 1) / 2> upper_triangle;

  template <class V, class U>
  constexpr const T& operator()(const V&, const U&) const {
    static_assert(detail::is_one_of<V, Vs...> && detail::is_one_of<U, Vs...>,
                  "tapeless: the result has no entry for this variable; name it in wrt(...) [TL065]");
    constexpr std::size_t i = detail::position_in<V, Vs...>(), j = detail::position_in<U, Vs...>();
    return upper_triangle[i <= j ? j * (j + 1) / 2 + i : i * (i + 1) / 2 + j];
  }
  template <class V>
  constexpr const hessian_map& operator[](const V&) const {
    static_assert(detail::always_false<V>, "tapeless: a second derivative is h(x, y), not h[x][y] [TL066]");
    return *this;
  }
};

/// First derivatives of several outputs: `j(i, x)`, where `i` is an index or an index constant; `j[i]` is a row, in the
/// order of `wrt`.
template <class Variables, class T, std::size_t Rows>
struct jacobian_map;
template <class... Vs, class T, std::size_t Rows>
struct jacobian_map<wrt_variables<Vs...>, T, Rows> {
  std::array<std::array<T, sizeof...(Vs)>, Rows> rows;

  template <class I, class V>
  constexpr const T& operator()(const I& i, const V&) const {
    static_assert(detail::is_one_of<V, Vs...>,
                  "tapeless: the result has no entry for this variable; name it in wrt(...) [TL065]");
    constexpr std::size_t column = detail::position_in<V, Vs...>();
    return rows[static_cast<std::size_t>(i)][column];
  }
  constexpr const std::array<T, sizeof...(Vs)>& operator[](std::size_t i) const { return rows[i]; }
};

/// Values and first derivatives of several outputs; a structured binding takes it apart.
template <class Value, class Jacobian>
struct value_and_jacobian_result {
  Value value;
  Jacobian jacobian;
};
template <class Value, class Jacobian>
value_and_jacobian_result(Value, Jacobian) -> value_and_jacobian_result<Value, Jacobian>;

/// Value, gradient and second derivatives; a structured binding takes it apart.
template <class Value, class Gradient, class Hessian>
struct value_and_hessian_result {
  Value value;
  Gradient gradient;
  Hessian hessian;
};
template <class Value, class Gradient, class Hessian>
value_and_hessian_result(Value, Gradient, Hessian) -> value_and_hessian_result<Value, Gradient, Hessian>;

/// A value and its directional derivative; a structured binding takes it apart.
template <class Value, class Tangent>
struct value_and_jvp_result {
  Value value;
  Tangent tangent;
};
template <class Value, class Tangent>
value_and_jvp_result(Value, Tangent) -> value_and_jvp_result<Value, Tangent>;

/// A result with the memory that its call needed, for the next call into it; a structured binding takes the result
/// apart.
template <class Result, class Memory>
struct result_with_memory : Result {
  using Result::Result;
  Memory memory{};

  template <std::size_t I>
  constexpr auto& get() {
    return part<I>(*this);
  }
  template <std::size_t I>
  constexpr const auto& get() const {
    return part<I>(*this);
  }

  /// How many parts there are; 0 where it is one.
  static constexpr std::size_t parts = [] {
    if constexpr (requires { std::tuple_size<Result>::value; })
      return std::tuple_size_v<Result>;
    else
      return requires(Result& r) { r.value; } ? requires(Result& r) { r.hessian; } ? 3 : 2 : 0;
  }();

 private:
  template <std::size_t I, class R>
  static constexpr auto& part(R& r) {
    if constexpr (requires { typename Result::hana_tag; })
      return r.Result::template get<I>();
    else if constexpr (I == 0)
      return r.value;
    else if constexpr (I == 2)
      return r.hessian;
    else if constexpr (requires { r.gradient; })
      return r.gradient;
    else
      return r.jacobian;
  }
};

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

template <class Source, int... Variables, bool Second>
struct sparse_derivative<Source, std::integer_sequence<int, Variables...>, Second> {
  using gradient = program::frozen<program::append_gradient<Source, Variables...>>;
  using matrix = std::conditional_t<Second, program::append_hessian<gradient, Variables...>,
                                    program::append_jacobian<Source, Variables...>>;
  using type = sparse_entries<program::append_sparse<matrix, Second>, Second>;
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

template <class Result, class Memory>
  requires(tapeless::result_with_memory<Result, Memory>::parts > 0)
struct std::tuple_size<tapeless::result_with_memory<Result, Memory>>
    : std::integral_constant<std::size_t, tapeless::result_with_memory<Result, Memory>::parts> {};
template <std::size_t I, class Result, class Memory>
struct std::tuple_element<I, tapeless::result_with_memory<Result, Memory>>
    : std::remove_reference<decltype(std::declval<tapeless::result_with_memory<Result, Memory>&>().template get<I>())> {
};
template <class... Vs, class... Values>
struct std::tuple_size<tapeless::gradient_map<tapeless::wrt_variables<Vs...>, Values...>>
    : std::integral_constant<std::size_t, sizeof...(Vs)> {};
template <std::size_t I, class... Vs, class... Values>
struct std::tuple_element<I, tapeless::gradient_map<tapeless::wrt_variables<Vs...>, Values...>> {
  using type = const typename tapeless::detail::type_at<I, Values...>::type;
};

namespace boost::hana {

template <>
struct unpack_impl<tapeless::gradient_map_tag> {
  template <class Map, class F>
  static constexpr decltype(auto) apply(const Map& map, F&& f) {
    return map.unpack(static_cast<F&&>(f));
  }
};
template <>
struct transform_impl<tapeless::gradient_map_tag> {
  template <class Map, class F>
  static constexpr auto apply(const Map& map, const F& f) {
    return map.transform(f);
  }
};
template <>
struct at_key_impl<tapeless::gradient_map_tag> {
  template <class Map, class V>
  static constexpr const auto& apply(const Map& map, const V& variable) {
    return map[variable];
  }
};
template <>
struct find_impl<tapeless::gradient_map_tag> {
  template <class Map, class V>
  static constexpr auto apply(const Map& map, const V& variable) {
    if constexpr (Map::template contains<V>)
      return hana::just(map[variable]);
    else
      return hana::nothing;
  }
};
template <>
struct find_if_impl<tapeless::gradient_map_tag> {
  template <class Map, class Predicate>
  static constexpr auto apply(const Map& map, const Predicate&) {
    return map.unpack([](const auto&... entries) { return first_of<Predicate>(entries...); });
  }

 private:
  template <class Predicate>
  static constexpr auto first_of() {
    return hana::nothing;
  }
  template <class Predicate, class Entry, class... Entries>
  static constexpr auto first_of(const Entry& entry, const Entries&... entries) {
    if constexpr (decltype(std::declval<const Predicate&>()(hana::first(entry)))::value)
      return hana::just(hana::second(entry));
    else
      return first_of<Predicate>(entries...);
  }
};
template <>
struct any_of_impl<tapeless::gradient_map_tag> {
  template <class Map, class Predicate>
  static constexpr auto apply(const Map& map, const Predicate& predicate) {
    return map.unpack([&](const auto&... entries) {
      return hana::bool_c<(decltype(predicate(hana::first(entries)))::value || ...)>;
    });
  }
};

}  // namespace boost::hana
