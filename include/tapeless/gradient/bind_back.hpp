#ifndef TAPELESS_GRADIENT_BIND_BACK_HPP
#define TAPELESS_GRADIENT_BIND_BACK_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/bound_function.hpp>
#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/jacobian.hpp>
#include <tapeless/gradient/jvp.hpp>
#include <tapeless/gradient/sparse.hpp>
#include <tapeless/gradient/vjp.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// The verbs of functions with data. A verb of `f` with data is the verb of `f` for the arguments before the data,
/// which are handed to it at each call.
namespace tapeless {

namespace detail {

template <class T>
inline constexpr bool is_into = false;
template <class R>
inline constexpr bool is_into<into_result<R>> = true;

template <class F, std::size_t... I>
constexpr auto positions(std::index_sequence<I...>) {
  return &wrt<I...>;
}

/// `Make` makes the verb of a function: of all arguments but the data, or of those that `options` name.
template <class Make, class Bound, class... Options>
class bound_verb {
  Bound bound_;
  [[no_unique_address]] std::tuple<Options...> options_;

  template <std::size_t Arguments>
  TAPELESS_ALWAYS_INLINE constexpr auto verb() const {
    return std::apply(
        [&](const auto&... options) {
          return Make::template of<typename Bound::function_type, Arguments, typename Bound::data_types>(options...);
        },
        options_);
  }

 public:
  constexpr explicit bound_verb(const Bound& bound, Options... options) : bound_(bound), options_(options...) {}

  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const {
    constexpr std::size_t arguments = (std::size_t{0} + ... + (is_into<Args> ? 0 : 1));
    return bound_.hand_over([&](const auto&... data) TAPELESS_INLINE_LAMBDA {
      return Make::template cut<arguments>(verb<arguments>()(args..., data...));
    });
  }
};

/// The function with its last arguments stopped, which then have any tangent.
template <class F, std::size_t Arguments>
struct stopping_data {
  template <class... Ts>
  constexpr auto operator()(const Ts&... all) const {
    const std::tuple<const Ts&...> arguments(all...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto at = [&]<std::size_t J>() -> decltype(auto) {
        if constexpr (J < Arguments)
          return std::get<J>(arguments);
        else
          return stop_gradient(std::get<J>(arguments));
      };
      return F{}(at.template operator()<I>()...);
    }(std::index_sequence_for<Ts...>{});
  }
};

struct cuts_nothing {
  template <std::size_t, class R>
  TAPELESS_ALWAYS_INLINE static constexpr R cut(R result) {
    return result;
  }
};
/// The gradients of the first arguments, of one the gradient itself.
struct cuts_data {
  template <std::size_t Arguments, class R>
  static constexpr auto cut(const R& result) {
    if constexpr (Arguments == 1)
      return std::get<0>(result);
    else
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple(std::get<I>(result)...);
      }(std::make_index_sequence<Arguments>{});
  }
};

template <class... Data>
constexpr auto zeros_of(std::type_identity<std::tuple<Data...>>) {
  return std::tuple(transform_leaves([](auto) { return 0.0; }, Data{})...);
}
/// The direction of the arguments, and any of the data.
template <class Data, class... Ts>
constexpr auto with_zeros(const argument_tangents<Ts...>& along) {
  return std::apply([](const auto&... values) { return tangent(values...); },
                    std::tuple_cat(along.values, zeros_of(std::type_identity<Data>{})));
}

}  // namespace detail

#define TAPELESS_VERB_WITH_DATA(VERB)                                                                                  \
  namespace detail {                                                                                                   \
  struct make_##VERB : cuts_nothing {                                                                                  \
    template <class F, std::size_t Arguments, class Data>                                                              \
    static constexpr auto of() {                                                                                       \
      return VERB(F{}, positions<F>(std::make_index_sequence<Arguments>{}));                                           \
    }                                                                                                                  \
    template <class F, std::size_t Arguments, class Data, class... Options>                                            \
      requires(sizeof...(Options) > 0)                                                                                 \
    static constexpr auto of(const Options&... options) {                                                              \
      return VERB(F{}, options...);                                                                                    \
    }                                                                                                                  \
  };                                                                                                                   \
  }                                                                                                                    \
  /** The same of a function with data: those of `bind_back`, or its members. */                                       \
  template <Function_with_data F, class... Options>                                                                    \
  constexpr auto VERB(const F& f, Options... options) {                                                                \
    const auto bound = detail::as_bound(f);                                                                            \
    return detail::bound_verb<detail::make_##VERB, std::remove_const_t<decltype(bound)>, Options...>(bound,            \
                                                                                                     options...);      \
  }
TAPELESS_VERB_WITH_DATA(gradient)
TAPELESS_VERB_WITH_DATA(value_and_gradient)
TAPELESS_VERB_WITH_DATA(jacobian)
TAPELESS_VERB_WITH_DATA(value_and_jacobian)
TAPELESS_VERB_WITH_DATA(hessian)
TAPELESS_VERB_WITH_DATA(sparse_jacobian)
TAPELESS_VERB_WITH_DATA(sparse_hessian)
#undef TAPELESS_VERB_WITH_DATA

namespace detail {

struct make_vjp : cuts_nothing {
  template <class F, std::size_t Arguments, class Data, class... Ts>
  static constexpr auto of(const cotangents<Ts...>& weights) {
    return vjp(F{}, positions<F>(std::make_index_sequence<Arguments>{}), weights);
  }
  template <class F, std::size_t Arguments, class Data, class Wrt, class... Ts>
  static constexpr auto of(Wrt arguments, const cotangents<Ts...>& weights) {
    return vjp(F{}, arguments, weights);
  }
};
struct make_jvp : cuts_nothing {
  template <class F, std::size_t Arguments, class Data, class... Ts>
  static constexpr auto of(const argument_tangents<Ts...>& along) {
    return jvp(stopping_data<F, Arguments>{}, with_zeros<Data>(along));
  }
};
struct make_hvp : cuts_data {
  template <class F, std::size_t Arguments, class Data, class... Ts>
  static constexpr auto of(const argument_tangents<Ts...>& along) {
    return hvp(stopping_data<F, Arguments>{}, with_zeros<Data>(along));
  }
};

}  // namespace detail

template <Function_with_data F, class... Options>
constexpr auto vjp(const F& f, Options... options) {
  const auto bound = detail::as_bound(f);
  return detail::bound_verb<detail::make_vjp, std::remove_const_t<decltype(bound)>, Options...>(bound, options...);
}
template <Function_with_data F, class... Ts>
constexpr auto jvp(const F& f, const argument_tangents<Ts...>& along) {
  const auto bound = detail::as_bound(f);
  return detail::bound_verb<detail::make_jvp, std::remove_const_t<decltype(bound)>, argument_tangents<Ts...>>(bound,
                                                                                                              along);
}
template <Function_with_data F, class... Ts>
constexpr auto hvp(const F& f, const argument_tangents<Ts...>& along) {
  const auto bound = detail::as_bound(f);
  return detail::bound_verb<detail::make_hvp, std::remove_const_t<decltype(bound)>, argument_tangents<Ts...>>(bound,
                                                                                                              along);
}

}  // namespace tapeless

#endif
