#pragma once

#include <tapeless/core/apply.hpp>
#include <tapeless/core/number.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

namespace tapeless::detail {

/// The run-time numbers of a formula, in the order of its lowering.
template <class T, class E>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const E& e, T*& to) {
  if constexpr (std::is_empty_v<E>)
    return;
  else if constexpr (is_number<E>)
    *to++ = static_cast<T>(e.value);
  else if constexpr (is_stop<E>)
    numbers_of(e.operand, to);
  else if constexpr (is_outputs<E>)
    std::apply([&](const auto&... each) { (numbers_of(each, to), ...); }, e.formulas);
  else
    for_each_index<E::arity>([&](auto i) TAPELESS_INLINE_LAMBDA { numbers_of(e.template operand<i>(), to); });
}

/// What a formula is evaluated with: the values bound to its variables and the numbers it carries.
template <class T, class Source, class Variables, class... Bindings>
class bound_inputs;
template <class T, class Source, class... Us, class... Bindings>
class bound_inputs<T, Source, wrt_variables<Us...>, Bindings...> {
  std::tuple<const Bindings&...> bindings_;
  std::array<T, static_cast<std::size_t>(Source::value.numbers)> numbers_{};

 public:
  template <class F>
  TAPELESS_ALWAYS_INLINE constexpr explicit bound_inputs(const F& wrapped, const Bindings&... bindings)
      : bindings_(bindings...) {
    if constexpr (Source::value.numbers > 0) {
      T* to = numbers_.data();
      numbers_of(wrapped, to);
    }
  }

  constexpr const auto& numbers() const { return numbers_; }

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T variable() const {
    using V = typename type_at<static_cast<std::size_t>(I), Us...>::type;
    return immediate<T>(std::get<position_in<V, typename Bindings::variable_type...>()>(bindings_).value);
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T number() const {
    return numbers_[static_cast<std::size_t>(I)];
  }
};

}  // namespace tapeless::detail
