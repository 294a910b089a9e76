#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>
#include <tapeless/gradient/result/result_maps.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>
#include <tapeless/gradient/tensor/tensor_call.hpp>
#include <tapeless/gradient/verb.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

/// Hands outputs, from number `next` on, their places in a result, where a `Container` holds one. `to` either looks
/// where these lie, or resizes them and has the outputs written there.
template <class Container, class To>
struct output_places {
  const To& to;
  std::size_t next = 0;
  static constexpr bool only_looks = requires(const memory_range& range) { std::declval<const To&>().look(range); };

  /// All that `r` holds, in its order.
  template <class R>
  TAPELESS_ALWAYS_INLINE void fill(R& r) {
    if constexpr (std::is_same_v<R, Zero>)
      ++next;
    else if constexpr (std::is_same_v<R, Container> && only_looks)
      to.look(strided_of(r).bytes());
    else if constexpr (std::is_same_v<R, Container>)
      to.resize(r), to.write(next++, data_of(r), strides_of(r));
    else if constexpr (is_instance_of<complex, R>)
      fill(r.re), fill(r.im);
    else if constexpr (requires { r.upper_triangle; })
      fill(r.upper_triangle);
    else if constexpr (requires { r.rows; })
      fill(r.rows);
    else if constexpr (requires { r.values; })
      fill(r.values);
    else if constexpr (is_vector<R> && only_looks)
      to.look({r.data(), r.data() + r.size()});
    else if constexpr (is_vector<R>)
      fill_structures(r);
    else
      for (auto& each : r) fill(each);
  }
  /// The derivatives by integers.
  void fill_with_zeros(Container& r) const {
    if constexpr (!only_looks) to.resize(r), std::fill_n(data_of(r), to.count, 0);
  }

 private:
  /// The numbers with derivatives of each structure in a vector.
  template <class E>
  void fill_structures(std::vector<E>& all) {
    using T = typename To::number;
    static_assert(To::rank <= 1, "tapeless: results that are structures need a vector [TL183]");
    all.resize(static_cast<std::size_t>(to.count));
    E none{};
    E& element = all.empty() ? none : all.front();
    for_each_index<shape_of<E>::size>([&](auto i) {
      if constexpr (shape_of<E>::has_derivative(i)) {
        const auto& number = shape_of<E>::template element<i>(element);
        static_assert(std::is_same_v<std::remove_cvref_t<decltype(number)>, T>,
                      "tapeless: structures in an array must have the number type of the other arguments [TL184]");
        static_assert(sizeof(E) % sizeof(T) == 0);
        to.write(next++, const_cast<T*>(&number), {static_cast<std::ptrdiff_t>(sizeof(E) / sizeof(T))});
      }
    });
  }
};

/// What the verb `V` gives over arrays, written in place: `Shape` says how values and derivatives are arranged. A
/// result holds outputs in their order.
template <verb V, class Shape, class Entries>
struct placed_results {
  static constexpr std::size_t first = V.with_value ? Shape::outputs : 0;

  template <template <class...> class Result, class Derived, class... Values>
  using with_values = std::type_identity<std::conditional_t<V.with_value, Result<Values..., Derived>, Derived>>;
  static constexpr auto find() {
    using enum derives;
    using values = typename Shape::values;
    if constexpr (V.what == nothing)
      return std::type_identity<values>{};
    else if constexpr (V.what == jacobian)
      return with_values<value_and_jacobian_result, typename Shape::jacobian, typename Shape::all_values>{};
    else if constexpr (V.what == hessian)
      return with_values<value_and_hessian_result, typename Shape::hessian, values,
                         typename Shape::template gradient<first>>{};
    else if constexpr (V.what == tangent)
      return with_values<value_and_jvp_result, values, values>{};
    else if constexpr (V.is_sparse())
      return std::type_identity<typename Shape::template sparse<Entries>>{};
    else
      return with_values<value_and_gradient_result, typename Shape::template gradient<first>, values>{};
  }
  using type = typename decltype(find())::type;

  template <class To>
  TAPELESS_ALWAYS_INLINE static void place(const To& to, type& r) {
    output_places<typename Shape::container, To> places{to};
    if constexpr (V.with_value && V.what != derives::nothing) {
      places.fill(r.value);
      if constexpr (requires { r.gradient; }) Shape::place_gradient(places, r.gradient);
      if constexpr (requires { r.jacobian; }) places.fill(r.jacobian);
      if constexpr (requires { r.hessian; }) places.fill(r.hessian);
      if constexpr (requires { r.tangent; }) places.fill(r.tangent);
    } else if constexpr (V.what == derives::gradient || V.what == derives::pullback ||
                         V.what == derives::hessian_product) {
      Shape::place_gradient(places, r);
    } else {
      places.fill(r);
    }
  }
};

}  // namespace tapeless::detail
