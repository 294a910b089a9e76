#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/structure.hpp>
#include <tapeless/core/tensor_binding.hpp>

#include <cstddef>
#include <stdexcept>

namespace tapeless {

template <class F, class P, class... Ps>
constexpr P transform_leaves(const F& f, const P& p, const Ps&... others);

namespace detail {

template <class S>
inline constexpr std::size_t member_count = 0;
template <Structure S>
inline constexpr std::size_t member_count<S> = structure<S>::size;

/// The same for tensors, element by element; see storage.hpp.
template <class P>
struct transform_tensors;

}  // namespace detail

/// Applies `f` to the numbers of a structure, together with the numbers at the same places of other structures of the
/// same shape. The result has the type of the first. A step of gradient descent is `p = transform_leaves([](auto a,
/// auto da) { return a - 0.1 * da; }, p, gradient(loss)(p));`
///
/// A structure is a number, a tensor, or a tuple, an array, a `std::vector` or an adapted struct of structures.
/// Integers and bools, which have no derivative, stay unchanged, and so do members that are not numbers or not adapted.
/// JAX calls this `tree_map`. Throws `std::invalid_argument` for vectors or tensors of different extents.
template <class F, class P, class... Ps>
constexpr P transform_leaves(const F& f, const P& p, const Ps&... others) {
  if constexpr (detail::Structure<P>) {
    constexpr bool alike = ((detail::member_count<Ps> == detail::member_count<P>) && ...);
    static_assert(alike, "tapeless: the structures of transform_leaves must have the same shape [TL102]");
    P result = p;
    if constexpr (alike)
      detail::for_each_index<detail::member_count<P>>([&](auto i) {
        detail::structure<P>::template get<i>(result) = transform_leaves(
            f, detail::structure<P>::template get<i>(p), detail::structure<Ps>::template get<i>(others)...);
      });
    return result;
  } else if constexpr (Real<P> || is_traced<P>)
    return static_cast<P>(f(p, others...));
  else if constexpr (detail::is_std_vector<P> && (detail::is_std_vector<Ps> && ...)) {
    const auto check_size = [&](std::size_t size) {
      if (size != p.size())
        detail::raise<std::invalid_argument>(
            {"the structures of transform_leaves must have the same shape: (", p.size(), ") and (", size, ")"});
    };
    (check_size(others.size()), ...);
    P result = p;
    for (std::size_t i = 0; i < p.size(); ++i) result[i] = transform_leaves(f, p[i], others[i]...);
    return result;
  } else if constexpr (is_tensor<P>)
    return detail::transform_tensors<P>::run(f, p, others...);
  else
    return p;
}

}  // namespace tapeless
