#pragma once

#include <tapeless/core/apply.hpp>
#include <tapeless/core/named.hpp>
#include <tapeless/core/number.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

// The run-time numbers of a formula, in the order of its lowering.
template <class T, class Op, class... Es>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Apply<Op, Es...>& e, T*& to);
template <class T, class N>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Number<N>& e, T*& to) {
  *to++ = static_cast<T>(e.value);
}
template <class T, class E, TAPELESS_NAME Name>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const StopGradient<E, Name>& e, T*& to) {
  if constexpr (!std::is_empty_v<E>) numbers_of(e.operand, to);
}
template <class T, class Op, class... Es>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Apply<Op, Es...>& e, T*& to) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto visit = [&](const auto& operand) {
      if constexpr (!std::is_empty_v<std::remove_cvref_t<decltype(operand)>>) numbers_of(operand, to);
    };
    (visit(e.template operand<I>()), ...);
  }(std::index_sequence_for<Es...>{});
}

template <class T, class... Fs>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const output_list<Fs...>& e, T*& to) {
  const auto visit = [&](const auto& wrapped) {
    if constexpr (!std::is_empty_v<std::remove_cvref_t<decltype(wrapped)>>) numbers_of(wrapped, to);
  };
  std::apply([&](const auto&... wrapped) { (visit(wrapped), ...); }, e.formulas);
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
    constexpr std::size_t position = [] {
      std::size_t index = 0;
      static_cast<void>(((std::same_as<V, typename Bindings::variable_type> ? true : (++index, false)) || ...));
      return index;
    }();
    return immediate<T>(std::get<position>(bindings_).value);
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T number() const {
    return numbers_[static_cast<std::size_t>(I)];
  }
};

}  // namespace tapeless::detail
