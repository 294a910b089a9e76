#pragma once

#include <tapeless/core/bound_function.hpp>
#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/jacobian.hpp>
#include <tapeless/gradient/jvp.hpp>
#include <tapeless/gradient/sparse.hpp>
#include <tapeless/gradient/value.hpp>
#include <tapeless/gradient/vjp.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// The verbs of functions with data. A verb of `f` with data is the verb of `f` for the arguments before the data,
/// which are handed to it at each call.
namespace tapeless {

namespace detail {

template <class F, std::size_t... I>
constexpr auto positions(std::index_sequence<I...>) {
  return &wrt<I...>;
}

/// `Make` makes the verb of a function: of all arguments but the data, or of those that the options name.
template <class Make, class Bound, class... Options>
class bound_verb {
  Bound bound_;
  [[no_unique_address]] std::tuple<Options...> options_;

  template <std::size_t Arguments>
  TAPELESS_ALWAYS_INLINE constexpr auto verb() const {
    return std::apply(
        [&](const auto&... options) { return Make::template of<typename Bound::function_type, Arguments>(options...); },
        options_);
  }

 public:
  constexpr explicit bound_verb(const Bound& bound, const Options&... options) : bound_(bound), options_(options...) {}

  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const {
    return with_data<Args...>([&](const auto& of_all, const auto&... data)
                                  TAPELESS_INLINE_LAMBDA { return of_all(args..., data...); });
  }
  /// call(verb, data...), where the verb is called with `Args` before the data.
  template <class... Args, class Call>
  TAPELESS_ALWAYS_INLINE constexpr auto with_data(const Call& call) const {
    constexpr std::size_t arguments =
        (std::size_t{0} + ... + (is_instance_of<into_result, Args> || Execution_policy<Args> ? 0 : 1));
    return bound_.hand_over([&](const auto&... data)
                                TAPELESS_INLINE_LAMBDA { return call(verb<arguments>(), data...); });
  }
};
template <class G>
inline constexpr bool is_bound_verb = is_instance_of<bound_verb, G>;

/// Whether a function object's members could be symbols, and the object still be called.
template <class F>
inline constexpr bool takes_symbols = true;
template <class F>
  requires(!is_bound<F>)
inline constexpr bool takes_symbols<F> = !is_instance_of<std::tuple, typename shape_of<F>::traced_type>;

}  // namespace detail

// Where no positions are named, the verb is by all arguments but the data.
#define TAPELESS_VERB_WITH_DATA(VERB)                                                                                  \
  namespace detail {                                                                                                   \
  struct make_##VERB {                                                                                                 \
    template <class F, std::size_t Arguments, class... Options>                                                        \
    static constexpr auto of(const Options&... options) {                                                              \
      if constexpr ((is_positions<Options> || ...))                                                                    \
        return VERB(F{}, options...);                                                                                  \
      else                                                                                                             \
        return VERB(F{}, positions<F>(std::make_index_sequence<Arguments>{}), options...);                             \
    }                                                                                                                  \
  };                                                                                                                   \
  }                                                                                                                    \
  /** The same of a function with data: those of `bind_back`, or its members. */                                       \
  template <Function_with_data F, class... Options>                                                                    \
  constexpr auto VERB(const F& f, const Options&... options) {                                                         \
    constexpr bool callable = detail::takes_symbols<F>;                                                                \
    static_assert(                                                                                                     \
        callable,                                                                                                      \
        "tapeless: make a function object with members a class template over its number type, template "               \
        "<class T> struct residual { T observed; ... }, or pass what it needs by bind_back(f, data...) [TL101]");      \
    if constexpr (callable) {                                                                                          \
      const auto bound = detail::as_bound(f);                                                                          \
      return detail::bound_verb<detail::make_##VERB, std::remove_const_t<decltype(bound)>, std::decay_t<Options>...>(  \
          bound, options...);                                                                                          \
    } else {                                                                                                           \
      return detail::no_result{};                                                                                      \
    }                                                                                                                  \
  }
TAPELESS_VERB_WITH_DATA(value)
TAPELESS_VERB_WITH_DATA(gradient)
TAPELESS_VERB_WITH_DATA(value_and_gradient)
TAPELESS_VERB_WITH_DATA(jacobian)
TAPELESS_VERB_WITH_DATA(value_and_jacobian)
TAPELESS_VERB_WITH_DATA(hessian)
TAPELESS_VERB_WITH_DATA(value_and_hessian)
TAPELESS_VERB_WITH_DATA(jvp)
TAPELESS_VERB_WITH_DATA(value_and_jvp)
TAPELESS_VERB_WITH_DATA(vjp)
TAPELESS_VERB_WITH_DATA(hvp)
TAPELESS_VERB_WITH_DATA(sparse_jacobian)
TAPELESS_VERB_WITH_DATA(sparse_hessian)
#undef TAPELESS_VERB_WITH_DATA

}  // namespace tapeless
