#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/structure.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// A function and its last arguments: what `bind_back` makes.
template <class F, class... Data>
class bound_function {
  [[no_unique_address]] F function_;
  std::tuple<Data...> data_;

  // What std::ref gives, known by its members: including <functional> would take a tenth of tapeless.hpp's time.
  template <class T>
  static constexpr const auto& value_of(const T& value) {
    if constexpr (requires { requires std::is_same_v<decltype(value.get()), typename T::type&>; })
      return value.get();
    else
      return value;
  }

 public:
  using function_type = F;

  constexpr explicit bound_function(const F& function, const Data&... data) : function_(function), data_(data...) {}

  /// f(data...)
  template <class G>
  TAPELESS_ALWAYS_INLINE constexpr auto hand_over(const G& g) const {
    return [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
      return g(value_of(std::get<I>(data_))...);
    }(std::index_sequence_for<Data...>{});
  }

  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const {
    return hand_over([&](const auto&... data) TAPELESS_INLINE_LAMBDA { return function_(args..., data...); });
  }
};

/// `bind_back(f, data...)` is `f` with its last arguments bound, like `std::bind_back`: `gradient(bind_back(f, k))(x,
/// y)` is the gradient of `f(x, y, k)` with respect to x and y. The data are copied, or with `std::ref(data)` read at
/// each call. They are arguments like others (numbers, arrays, structs or tensors) but count as constants, unless `wrt`
/// names their positions.
template <class F, class... Data>
constexpr auto bind_back(const F& f, const Data&... data) {
  return bound_function<F, Data...>(f, data...);
}

namespace detail {

template <class F>
inline constexpr bool is_bound = is_instance_of<bound_function, F>;

/// A function object with members as a function without, whose last argument has them.
struct call_with_members {
  template <class... Ts>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Ts&... all) const {
    const std::tuple<const Ts&...> arguments(all...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) TAPELESS_INLINE_LAMBDA {
      return std::get<sizeof...(I)>(arguments)(std::get<I>(arguments)...);
    }(std::make_index_sequence<sizeof...(Ts) - 1>{});
  }
};

template <class F>
constexpr auto as_bound(const F& f) {
  if constexpr (is_bound<F>)
    return f;
  else
    return bind_back(call_with_members{}, f);
}

}  // namespace detail

/// A function with data: `bind_back(f, data...)`, or an object of a class template over its number type,
/// `template <class T> struct residual { T observed; ... operator()(const auto& x) const; }`, whose members count as
/// constants; `wrt` names it by the position after the last argument.
template <class F>
concept Function_with_data = detail::is_bound<F> || (detail::is_struct<F> && !std::is_empty_v<F>);

}  // namespace tapeless
