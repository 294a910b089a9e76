#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/apply.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

template <class T>
struct shape_of;

/// One type itself, several as a tuple.
template <class... Ts>
using one_or_tuple =
    typename std::conditional_t<sizeof...(Ts) == 1, type_at<0, Ts...>, std::type_identity<std::tuple<Ts...>>>::type;

/// How the numbers of the arguments `Args` follow each other as the variables of a traced program. Integers among them
/// are variables without a derivative.
template <class... Args>
struct argument_layout {
  template <std::size_t P>
  using argument = typename type_at<P, Args...>::type;
  template <std::size_t P>
  using shape = shape_of<argument<P>>;

  /// The first variable of each argument; then how many there are.
  static constexpr auto firsts = [] {
    std::array<std::size_t, sizeof...(Args) + 1> result{};
    [[maybe_unused]] std::size_t next = 0;
    ((result[next + 1] = result[next] + shape_of<Args>::size, ++next), ...);
    return result;
  }();
  static constexpr std::size_t size = firsts.back();
  /// How many of them have derivatives, by argument.
  static constexpr std::array<std::size_t, sizeof...(Args)> sizes{shape_of<Args>::derivatives...};
  static constexpr std::size_t derivatives = (shape_of<Args>::derivatives + ... + 0);

  static constexpr std::size_t first(std::size_t position) { return firsts[position]; }
  /// The argument that variable number `variable` belongs to.
  static constexpr std::size_t position(std::size_t variable) {
    std::size_t p = 0;
    while (variable >= first(p + 1)) ++p;
    return p;
  }
  /// Variable number `I` in the arguments themselves, a tuple.
  template <std::size_t I, class Arguments>
  TAPELESS_ALWAYS_INLINE static constexpr decltype(auto) leaf(const Arguments& arguments) {
    constexpr std::size_t p = position(I);
    return shape<p>::template element<I - first(p)>(std::get<p>(arguments));
  }
  /// How many derivatives the positions `Ps` before the first that is `P` have.
  template <std::size_t P, std::size_t... Ps>
  static constexpr std::size_t size_before = [] {
    std::size_t result = 0;
    static_cast<void>(((Ps == P ? true : (result += sizes[Ps], false)) || ...));
    return result;
  }();

  template <std::size_t... P>
  static constexpr auto variable_indices() {
    std::array<int, (sizes[P] + ... + 0)> result{};
    std::size_t next = 0;
    const auto append = [&]<std::size_t Q>() {
      for (std::size_t element = 0; element < shape<Q>::size; ++element)
        if (shape<Q>::has_derivative(element)) result[next++] = static_cast<int>(first(Q) + element);
    };
    (append.template operator()<P>(), ...);
    return result;
  }
  template <std::size_t... P, std::size_t... I>
  static constexpr auto to_sequence(std::index_sequence<I...>) {
    constexpr auto indices = variable_indices<P...>();
    return std::integer_sequence<int, indices[I]...>{};
  }
  /// The variables with derivatives of the arguments at positions `P`, in order.
  template <std::size_t... P>
  using variables = decltype(to_sequence<P...>(std::make_index_sequence<(sizes[P] + ... + 0)>{}));

  /// Where those stand among the numbers of the arguments at positions `P` alone.
  template <std::size_t... P>
  static constexpr auto places() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return typename argument_layout<typename type_at<P, Args...>::type...>::template variables<I...>{};
    }(std::make_index_sequence<sizeof...(P)>{});
  }

  /// The gradients of the arguments at positions `P`, of one argument the gradient itself, from the outputs of an
  /// evaluation, `First` on.
  template <class T, std::size_t First, std::size_t... P, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto read(const Evaluation& done) {
    if constexpr (sizeof...(P) == 1)
      return (shape<P>::template read<T, First>(done), ...);
    else
      return std::tuple<typename shape<P>::template gradient_type<T>...>(
          shape<P>::template read<T, First + size_before<P, P...>>(done)...);
  }
};

}  // namespace tapeless::detail
