#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>

#include <cstddef>
#include <stdexcept>

namespace tapeless::detail {

/// `transform_leaves` of a tensor: element by element, with tensors of its shape.
template <class P>
struct transform_tensors {
  using element = typename tensor_traits<P>::element;

  template <class F, class... Ps>
  static P run(const F& f, const P& p, const Ps&... others) {
    if constexpr (Real<element>) {
      static_assert(!is_tensor_view<P>,
                    "tapeless: transform_leaves returns tensors of the types it is given, so these cannot be views; "
                    "pass tensors that own their elements [TL103]");
      if constexpr (is_tensor_view<P>)
        return p;
      else {
        (check_extents(p, others), ...);
        P result = p;
        transform(f, strided_of(result), strided_of(others)...);
        return result;
      }
    } else {
      return p;
    }
  }

 private:
  template <class Q>
  static void check_extents(const P& p, const Q& other) {
    constexpr int rank = tensor_traits<P>::rank;
    static_assert(tensor_traits<Q>::rank == rank,
                  "tapeless: the structures of transform_leaves must have the same shape [TL102]");
    if (const auto own = strided_of(p).extents, its = strided_of(other).extents; own != its)
      raise<std::invalid_argument>({"the structures of transform_leaves must have the same shape: ",
                                    shape_text(own, rank), " and ", shape_text(its, rank)});
  }
  template <class F, class... From>
  static void transform(const F& f, const loops::strided<element>& to, const From&... from) {
    // A container has no gaps.
    if (((from.strides == to.strides) && ...))
      for (std::ptrdiff_t i = 0; i < to.size(); ++i) to.data[i] = static_cast<element>(f(to.data[i], from.data[i]...));
    else
      to.for_each([&](const auto& at) {
        element& result = to.data[to.offset(at)];
        result = static_cast<element>(f(result, from.data[from.offset(at)]...));
      });
  }
};

}  // namespace tapeless::detail
