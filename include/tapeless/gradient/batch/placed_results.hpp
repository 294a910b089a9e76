#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/result/sparse_matrix.hpp>
#include <tapeless/gradient/tensor/tensor_call.hpp>
#include <tapeless/gradient/verb.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The result of a verb over arrays, with the memory that the call needed.
template <class Result, class Memory>
struct batched_result : Result {
  Memory memory;
};

namespace detail {

/// A result with memory, where something can hold it.
template <class Result>
inline constexpr bool holds_memory = false;
template <class Variables, class... Values>
inline constexpr bool holds_memory<gradient_map<Variables, Values...>> = true;
template <class Variables, class T, std::size_t Rows>
inline constexpr bool holds_memory<jacobian_map<Variables, T, Rows>> = true;
template <class Variables, class T>
inline constexpr bool holds_memory<hessian_map<Variables, T>> = true;
template <class Value, class Gradient>
inline constexpr bool holds_memory<value_and_gradient_result<Value, Gradient>> = holds_memory<Gradient>;
template <class Value, class Jacobian>
inline constexpr bool holds_memory<value_and_jacobian_result<Value, Jacobian>> = holds_memory<Jacobian>;
template <class Value, class Gradient, class Hessian>
inline constexpr bool holds_memory<value_and_hessian_result<Value, Gradient, Hessian>> = holds_memory<Hessian>;

template <class Result, class Memory>
using kept_result = std::conditional_t<holds_memory<Result>, batched_result<Result, Memory>, Result>;

/// `run(memory)` with the memory of the result, or with other.
template <bool Existing, class Memory, class Result, class Run>
bool with_memory_in(Result& r, const Run& run) {
  if constexpr (requires { r.memory; }) {
    return run(r.memory);
  } else if constexpr (Existing) {
    bool done = false;
    with_memory_of_thread<Memory>([&](Memory& memory) { done = run(memory); });
    return done;
  } else {
    Memory own;
    return run(own);
  }
}

/// What the verb `V` gives over arrays, written in place: `Shape` says how values and derivatives are arranged, and
/// `to(k, container)` that output number k fills a container.
template <verb V, class Shape, class Entries>
struct placed_results {
  static constexpr std::size_t first = V.with_value ? Shape::outputs : 0;

  static constexpr auto find() {
    using enum derives;
    if constexpr (V.what == nothing)
      return std::type_identity<typename Shape::values>{};
    else if constexpr (V.what == jacobian)
      return std::type_identity<std::conditional_t<
          V.with_value, value_and_jacobian_result<typename Shape::all_values, typename Shape::jacobian>,
          typename Shape::jacobian>>{};
    else if constexpr (V.what == hessian && V.with_value)
      return std::type_identity<value_and_hessian_result<typename Shape::values, typename Shape::template gradient<1>,
                                                         typename Shape::hessian>>{};
    else if constexpr (V.what == hessian)
      return std::type_identity<typename Shape::hessian>{};
    else if constexpr (V.what == tangent)
      return std::type_identity<
          std::conditional_t<V.with_value, value_and_jvp_result<typename Shape::values, typename Shape::values>,
                             typename Shape::values>>{};
    else if constexpr (V.is_sparse())
      return std::type_identity<typename Shape::template sparse<Entries>>{};
    else if constexpr (V.with_value)
      return std::type_identity<
          value_and_gradient_result<typename Shape::values, typename Shape::template gradient<first>>>{};
    else
      return std::type_identity<typename Shape::template gradient<0>>{};
  }
  using type = typename decltype(find())::type;

  template <class To>
  static void place(const To& to, type& r) {
    using enum derives;
    if constexpr (V.what == nothing) {
      Shape::template place_values<0>(to, r);
    } else if constexpr (V.is_sparse()) {
      for (std::size_t i = 0; i < Entries::count; ++i) to(i, r.values[i]);
    } else if constexpr (V.with_value) {
      Shape::template place_values<0>(to, r.value);
      if constexpr (V.what == jacobian) {
        Shape::template place_jacobian<first>(to, r.jacobian);
      } else if constexpr (V.what == hessian) {
        Shape::template place_gradient<1>(to, r.gradient);
        Shape::template place_hessian<1 + Shape::variables>(to, r.hessian);
      } else if constexpr (V.what == tangent) {
        Shape::template place_values<first>(to, r.tangent);
      } else {
        Shape::template place_gradient<first>(to, r.gradient);
      }
    } else if constexpr (V.what == jacobian) {
      Shape::template place_jacobian<0>(to, r);
    } else if constexpr (V.what == hessian) {
      Shape::template place_hessian<0>(to, r);
    } else if constexpr (V.what == tangent) {
      Shape::template place_values<0>(to, r);
    } else {
      Shape::template place_gradient<0>(to, r);
    }
  }
};

}  // namespace detail

}  // namespace tapeless
