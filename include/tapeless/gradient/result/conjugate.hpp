#pragma once

#include <tapeless/core/structure.hpp>

namespace tapeless {

template <class T>
struct complex;

namespace detail {

/// Makes the complex numbers of a gradient their conjugates, those in structures, vectors, and two arrays of parts
/// too: a gradient over arrays is written in partial derivatives first. `Standard` says whether that holds of the
/// standard's complex numbers.
template <bool Standard, class G>
void conjugate_complex(G& gradient) {
  if constexpr (is_instance_of<complex, G>) {
    if constexpr (requires { gradient.im = -gradient.im; })
      gradient.im = -gradient.im;
    else
      for (auto& number : gradient.im) number = -number;
  } else if constexpr (Structure<G>) {
    for_each_index<structure<G>::size>(
        [&](auto i) { conjugate_complex<Standard>(structure<G>::template get<i>(gradient)); });
  } else if constexpr (requires { requires !Numeric<typename G::value_type>; }) {
    for (auto& element : gradient) conjugate_complex<Standard>(element);
  } else if constexpr (Standard && requires { gradient.imag(-gradient.imag()); })
    gradient.imag(-gradient.imag());
}

}  // namespace detail

}  // namespace tapeless
