#pragma once

#include <tapeless/operation/scalar/complex.hpp>
#include <tapeless/operation/tensor/arrangement.hpp>
#include <tapeless/operation/tensor/indexing.hpp>
#include <tapeless/operation/tensor/linear_algebra.hpp>
#include <tapeless/operation/tensor/over_axes.hpp>

/// Operations on tensors of complex numbers, a `complex` of two tensors, beside those of complex numbers, which are
/// element by element. What is linear is applied to both parts.
namespace tapeless {

#define TAPELESS_OF_BOTH_PARTS(NAME)                                                                                   \
  template <int... Parameters, Symbolic T, class... Others>                                                            \
  constexpr auto NAME(const complex<T>& z, const Others&... others) {                                                  \
    return detail::make_complex(NAME<Parameters...>(z.re, others...), NAME<Parameters...>(z.im, others...));           \
  }
TAPELESS_OF_BOTH_PARTS(sum)
TAPELESS_OF_BOTH_PARTS(mean)
TAPELESS_OF_BOTH_PARTS(cumsum)
TAPELESS_OF_BOTH_PARTS(transpose)
TAPELESS_OF_BOTH_PARTS(expand_dims)
TAPELESS_OF_BOTH_PARTS(reshape)
TAPELESS_OF_BOTH_PARTS(slice)
TAPELESS_OF_BOTH_PARTS(take)
TAPELESS_OF_BOTH_PARTS(flip)
TAPELESS_OF_BOTH_PARTS(roll)
TAPELESS_OF_BOTH_PARTS(diagonal)
TAPELESS_OF_BOTH_PARTS(trace)
#undef TAPELESS_OF_BOTH_PARTS

namespace detail {

/// A product of complex operands, or of one with a real one, from those of their parts.
template <class Product, class A, class B>
constexpr auto complex_product(const Product& product, const A& a, const B& b) {
  if constexpr (!is_instance_of<complex, A>)
    return make_complex(product(a, b.re), product(a, b.im));
  else if constexpr (!is_instance_of<complex, B>)
    return make_complex(product(a.re, b), product(a.im, b));
  else
    return make_complex(product(a.re, b.re) - product(a.im, b.im), product(a.re, b.im) + product(a.im, b.re));
}

template <class A, class B>
concept Complex_operands = is_instance_of<complex, A> || is_instance_of<complex, B>;

}  // namespace detail

/// Products without conjugates, as in NumPy: `dot(conj(a), b)` is the inner product.
template <class A, class B>
  requires detail::Complex_operands<A, B>
constexpr auto dot(const A& a, const B& b) {
  return detail::complex_product([](const auto& x, const auto& y) { return dot(x, y); }, a, b);
}
template <class A, class B>
  requires detail::Complex_operands<A, B>
constexpr auto matmul(const A& a, const B& b) {
  return dot(a, b);
}
template <class A, class B>
  requires detail::Complex_operands<A, B>
constexpr auto outer(const A& a, const B& b) {
  return detail::complex_product([](const auto& x, const auto& y) { return outer(x, y); }, a, b);
}
/// Of two operands.
template <fixed_string Spec, class A, class B>
  requires detail::Complex_operands<A, B>
constexpr auto einsum(const A& a, const B& b) {
  return detail::complex_product([](const auto& x, const auto& y) { return einsum<Spec>(x, y); }, a, b);
}

}  // namespace tapeless
