#pragma once

#include <tapeless/core/bound_function.hpp>
#include <tapeless/core/map_structure.hpp>
#include <tapeless/core/no_result.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

namespace tapeless {

namespace detail {

// Not constexpr: a compiler that meets it in constant evaluation names it.
inline void ceres_functor_returned_false() {}

/// The call of a functor with pointers to the blocks and to the residuals.
template <std::size_t Residuals, class F, class Block, class... Blocks>
constexpr auto call_ceres(const F& functor, const Block& first, const Blocks&... rest) {
  std::array<typename Block::value_type, Residuals> residuals{};
  if (!functor(first.data(), rest.data()..., residuals.data())) ceres_functor_returned_false();
  return residuals;
}

template <class T, std::size_t Size>
inline constexpr bool is_block = false;
template <class T, std::size_t Size>
inline constexpr bool is_block<std::array<T, Size>, Size> = true;

/// A functor without members as a function of arrays.
template <class F, std::size_t Residuals, std::size_t... Sizes>
struct ceres_function {
  template <class... Blocks>
    requires(sizeof...(Blocks) == sizeof...(Sizes) && (is_block<Blocks, Sizes> && ...))
  constexpr auto operator()(const Blocks&... blocks) const {
    return call_ceres<Residuals>(F{}, blocks...);
  }
};
/// The same where the last argument is the functor.
template <std::size_t Residuals, std::size_t... Sizes>
struct ceres_functor_call {
  template <class... Ts>
  static constexpr bool fits = [] {
    if constexpr (sizeof...(Ts) == sizeof...(Sizes) + 1)
      return []<std::size_t... I>(std::index_sequence<I...>) {
        constexpr std::array<std::size_t, sizeof...(Sizes)> sizes{Sizes...};
        return (is_block<typename type_at<I, Ts...>::type, sizes[I]> && ...);
      }(std::make_index_sequence<sizeof...(Sizes)>{});
    else
      return false;
  }();

  template <class... Ts>
    requires fits<Ts...>
  constexpr auto operator()(const Ts&... all) const {
    const std::tuple<const Ts&...> arguments(all...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return call_ceres<Residuals>(std::get<sizeof...(I)>(arguments), std::get<I>(arguments)...);
    }(std::make_index_sequence<sizeof...(Ts) - 1>{});
  }
};

template <class F>
inline constexpr bool is_ceres = false;
template <class F, std::size_t... Sizes>
inline constexpr bool is_ceres<ceres_function<F, Sizes...>> = true;
template <std::size_t... Sizes>
inline constexpr bool is_ceres<ceres_functor_call<Sizes...>> = true;

/// Over which type the members are mapped does not matter.
struct to_pointers {
  template <class T>
  struct other {
    using type = T*;
  };
  template <class T>
  using to = typename other<T>::type;
};
/// Whether the class of a functor holds members of another number type.
template <class F>
constexpr bool holds_other_numbers() {
  if constexpr (is_struct<F>)
    return !std::is_void_v<typename with_mapped_arguments<F, to_pointers>::type>;
  else
    return false;
}

}  // namespace detail

/// A residual written for Ceres, `template <class T> bool operator()(const T* camera, const T* point, T* residuals)`,
/// as a function that takes and returns `std::array`s: `value_and_jacobian(from_ceres<2, 9, 3>(functor))(camera,
/// point)`, with the number of residuals and the sizes of the blocks. The functor's `operator()` must be constexpr and
/// return true. Its members are constants that are read at each call. So its class is a template over their number
/// type, `template <class N> struct residual { N u, v; ... };`, and is an aggregate or adapted.
template <std::size_t Residuals, std::size_t... Blocks, class F>
constexpr auto from_ceres(const F& functor) {
  constexpr bool sizes = Residuals > 0 && sizeof...(Blocks) > 0 && ((Blocks > 0) && ...);
  static_assert(
      sizes,
      "tapeless: from_ceres needs the number of residuals and the size of each block: from_ceres<2, 9, 3> [TL218]");
  constexpr bool opens = std::is_empty_v<F> || detail::holds_other_numbers<F>();
  static_assert(
      opens,
      "tapeless: the compiler runs the functor's operator() before its members have values; make the class a template "
      "over the number type of its public members: template <class N> struct residual { N u, v; ... }; [TL219]");
  if constexpr (!sizes || !opens)
    return detail::no_result{};
  else if constexpr (std::is_empty_v<F>)
    return detail::ceres_function<F, Residuals, Blocks...>{};
  else
    return bind_back(detail::ceres_functor_call<Residuals, Blocks...>{}, functor);
}

}  // namespace tapeless
