#pragma once

#include <tapeless/gradient/formula/formula_call.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/verb.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

/// Output number `I` of an evaluation as a derivative: where the policy says so, an absolute zero as a number.
template <class Policy, std::size_t I, class P, class T>
TAPELESS_ALWAYS_INLINE constexpr auto read_derivative(const scalar::evaluation<P, T>& done) {
  if constexpr (std::is_same_v<Policy, unconnected::materialise_policy>)
    return static_cast<T>(done.template output<I>());
  else
    return done.template output<I>();
}

/// `Count` outputs, `First` on, of an evaluation in parts.
template <class T, std::size_t Count, std::size_t First, class Evaluation>
TAPELESS_ALWAYS_INLINE constexpr auto compute_part(Evaluation& evaluation) {
  evaluation.template compute<First, First + Count>();
  return read_array<T, Count, First>(evaluation);
}

/// Rows of `Columns` numbers from the outputs of an evaluation in parts, `First` on.
template <class T, std::size_t First, std::size_t Columns, class Evaluation, std::size_t... Row>
TAPELESS_ALWAYS_INLINE constexpr auto compute_rows(Evaluation& evaluation, std::index_sequence<Row...>) {
  return std::array<std::array<T, Columns>, sizeof...(Row)>{
      compute_part<T, Columns, First + Row * Columns>(evaluation)...};
}

/// What the verb `V` gives, read from the outputs of an evaluation; `Shape` says how values and derivatives are
/// arranged, `Entries` which there are of a sparse matrix.
template <verb V, class Shape, class Entries = void, class Evaluation>
TAPELESS_ALWAYS_INLINE constexpr auto read_results(Evaluation& done) {
  using enum derives;
  constexpr std::size_t first = V.with_value ? Shape::outputs : 0;
  if constexpr (V.what == nothing) {
    return Shape::template values<0>(done);
  } else if constexpr (V.what == jacobian) {
    // The results are made where they stay: what is copied once more compilers keep in memory.
    if constexpr (V.with_value)
      return value_and_jacobian_result{compute_part<typename Shape::number, Shape::outputs, 0>(done),
                                       Shape::template jacobian<first>(done)};
    else
      return Shape::template jacobian<first>(done);
  } else if constexpr (V.what == hessian) {
    if constexpr (V.with_value)
      return value_and_hessian_result{Shape::template values<0>(done), Shape::template gradient<1>(done),
                                      Shape::template hessian<1 + Shape::variables>(done)};
    else
      return Shape::template hessian<0>(done);
  } else if constexpr (V.what == tangent) {
    if constexpr (V.with_value)
      return value_and_jvp_result{Shape::template values<0>(done), Shape::template tangents<first>(done)};
    else
      return Shape::template tangents<first>(done);
  } else if constexpr (V.is_sparse()) {
    return Shape::template sparse<Entries>(done);
  } else if constexpr (V.with_value) {
    return value_and_gradient_result{Shape::template values<0>(done), Shape::template gradient<first>(done)};
  } else {
    return Shape::template gradient<first>(done);
  }
}

/// The results for formulas: derivatives by name. `F` is a formula, or `outputs(...)`, whose values are an array.
template <class F, class Source, class Variables, class Policy, class T>
struct named_shape {
  using number = T;
  static constexpr std::size_t outputs = Source::value.outputs.size(), variables = Variables::size;

  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto values(const Evaluation& done) {
    if constexpr (is_outputs<F>)
      return read_array<T, outputs, First>(done);
    else
      return done.template output<First>();
  }
  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto tangents(const Evaluation& done) {
    if constexpr (is_outputs<F>)
      return read_array<T, outputs, First>(done);
    else
      return read_derivative<Policy, First>(done);
  }
  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto gradient(const Evaluation& done) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
      return gradient_map<Variables, decltype(read_derivative<Policy, First + I>(done))...>(
          read_derivative<Policy, First + I>(done)...);
    }(std::make_index_sequence<variables>{});
  }
  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto jacobian(Evaluation& parts) {
    return jacobian_map<Variables, T, outputs>{
        compute_rows<T, First, variables>(parts, std::make_index_sequence<outputs>{})};
  }
  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto hessian(const Evaluation& done) {
    return hessian_map<Variables, T>{read_array<T, triangle(variables), First>(done)};
  }
  template <class Entries, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto sparse(const Evaluation& done) {
    return sparse_map<Entries, T, Variables>{{read_array<T, Entries::count, 0>(done)}};
  }
};

}  // namespace tapeless::detail
