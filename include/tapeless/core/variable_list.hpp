#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/core/structure.hpp>
#include <tapeless/core/variable.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// Values for the variables of a list: what `parameters = p` gives.
template <class... Bindings>
struct [[nodiscard]] binding_list {
  std::tuple<Bindings...> bindings;
};

/// Variables that belong together, such as the parameters of a model. Made by `variables(w, b)`.
template <class... Vs>
struct variable_list {
  static constexpr std::size_t size = sizeof...(Vs);

  template <class P>
  TAPELESS_ALWAYS_INLINE constexpr auto operator=(P&& values) const {
    using S = std::remove_cvref_t<P>;
    constexpr bool fits = [] {
      if constexpr (detail::Structure<S>)
        return detail::structure<S>::size == sizeof...(Vs);
      else
        return false;
    }();
    static_assert(fits,
                  "tapeless: bind a list of variables to a tuple, a std::array or an adapted struct with one member "
                  "for each variable: parameters = std::tuple(1.0, 2.0) [TL031]");
    if constexpr (fits)
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return list_of((Vs{} = member<P>(detail::structure<S>::template get<I>(values)))...);
      }(std::index_sequence_for<Vs...>{});
    else
      return detail::no_result{};
  }

 private:
  // A tensor of a temporary is a temporary.
  template <class P, class T>
  static constexpr auto&& member(T& value) {
    if constexpr (std::is_lvalue_reference_v<P>)
      return value;
    else
      return std::move(value);
  }
  template <class... Bindings>
  static constexpr binding_list<Bindings...> list_of(const Bindings&... bindings) {
    return {{bindings...}};
  }
};

/// `constexpr auto parameters = variables(w, b);`. Then `wrt(parameters)` is `wrt(w, b)`, `f(parameters = p)` binds w
/// and b to the members of a tuple, an array or an adapted struct, and `g[parameters]` is the tuple of `g[w]` and
/// `g[b]`.
template <class... Vs>
constexpr auto variables(const Vs&...) {
  constexpr bool valid = sizeof...(Vs) > 0 && (is_variable<Vs> && ...);
  static_assert(valid, "tapeless: variables takes the variables of formulas: variables(w, b) [TL025]");
  if constexpr (valid)
    return variable_list<Vs...>{};
  else
    return detail::no_result{};
}

template <class T>
inline constexpr bool is_binding_list = detail::is_instance_of<binding_list, T>;

namespace detail {

template <class B>
constexpr auto bindings_of(const B& binding) {
  if constexpr (is_binding_list<B>)
    return binding.bindings;
  else
    return std::tuple<const B&>(binding);
}

/// `f` of the bindings, those of lists one by one.
template <class F, class... Bindings>
TAPELESS_ALWAYS_INLINE constexpr auto with_bindings(const F& f, const Bindings&... bindings) {
  return std::apply(f, std::tuple_cat(bindings_of(bindings)...));
}

}  // namespace detail

}  // namespace tapeless
