#pragma once

#include <tapeless/core/structure.hpp>

#include <cstddef>
#include <utility>

namespace tapeless {

template <class T>
struct complex;

namespace detail {

template <class G>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<complex<T>> = true;

/// Makes the complex numbers of a gradient their conjugates, those in structures, vectors of these and two arrays of
/// parts too: a gradient over arrays is written in partial derivatives first.
template <class G>
void conjugate_complex(G& gradient) {
  if constexpr (is_complex<G>) {
    if constexpr (requires { gradient.im = -gradient.im; })
      gradient.im = -gradient.im;
    else
      for (auto& number : gradient.im) number = -number;
  } else if constexpr (Structure<G>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (conjugate_complex(structure<G>::template get<I>(gradient)), ...);
    }(std::make_index_sequence<structure<G>::size>{});
  } else if constexpr (requires { requires Structure<typename G::value_type>; })
    for (auto& element : gradient) conjugate_complex(element);
}

}  // namespace detail

}  // namespace tapeless
