#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/message.hpp>
#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/gradient/tensor/storage.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace tapeless::detail {

/// `transform_leaves` of a tensor: element by element, with tensors of its shape.
template <class P>
struct transform_tensors {
  using traits = tensor_traits<P>;
  using element = typename traits::element;

  template <class F, class... Ps>
  static P run(const F& f, const P& p, const Ps&... others) {
    if constexpr (Real<element>) {
      static_assert(!is_tensor_view<P>,
                    "tapeless: transform_leaves returns tensors of the types it is given, so these cannot be views; "
                    "pass tensors that own their elements");
      if constexpr (is_tensor_view<P>)
        return p;
      else {
        (check(p, others), ...);
        P result = p;
        // A container has no gaps.
        element* to = const_cast<element*>(traits::data(result));
        const element* end = to + size(p);
        if ((are_alike(p, others) && ...))
          [&](auto... from) {
            for (; to != end; ++to) *to = static_cast<element>(f(*to, *from++...));
          }(tensor_traits<Ps>::data(others)...);
        else
          each<0>(f, to, std::array<std::ptrdiff_t, sizeof...(Ps)>{}, result, others...);
        return result;
      }
    } else {
      return p;
    }
  }

 private:
  static std::ptrdiff_t size(const P& p) {
    std::ptrdiff_t result = 1;
    for (int i = 0; i < traits::rank; ++i) result *= traits::extent(p, i);
    return result;
  }
  template <class Q>
  static void check(const P& p, const Q& other) {
    static_assert(tensor_traits<Q>::rank == traits::rank,
                  "tapeless: the structures of transform_leaves must have the same shape");
    if constexpr (tensor_traits<Q>::rank == traits::rank)
      for (int i = 0; i < traits::rank; ++i)
        if (traits::extent(p, i) != tensor_traits<Q>::extent(other, i))
          raise<std::invalid_argument>({"the structures of transform_leaves must have the same shape: ", shape(p),
                                        " and ", transform_tensors<Q>::shape(other)});
  }
  /// Whether the elements lie in the same places.
  template <class Q>
  static bool are_alike(const P& p, const Q& other) {
    bool result = true;
    for (int i = 0; i < traits::rank; ++i)
      result = result && traits::stride(p, i) == tensor_traits<Q>::stride(other, i);
    return result;
  }
  /// Along axis number `Axis` and those after it, where `at` says how far the others' elements are.
  template <int Axis, class F, class... Ps>
  static void each(const F& f, element* to, std::array<std::ptrdiff_t, sizeof...(Ps)> at, const P& shape_of,
                   const Ps&... others) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (Axis == traits::rank)
        *to = static_cast<element>(f(*to, tensor_traits<Ps>::data(others)[at[I]]...));
      else
        for (std::ptrdiff_t i = 0; i < traits::extent(shape_of, Axis); ++i) {
          each<Axis + 1>(f, to, at, shape_of, others...);
          to += traits::stride(shape_of, Axis);
          ((at[I] += tensor_traits<Ps>::stride(others, Axis)), ...);
        }
    }(std::index_sequence_for<Ps...>{});
  }

 public:
  static std::string shape(const P& p) {
    std::string text = "(";
    for (int i = 0; i < traits::rank; ++i) text = message({text, i ? ", " : "", traits::extent(p, i)});
    return message({text, ")"});
  }
};

}  // namespace tapeless::detail
