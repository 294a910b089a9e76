#pragma once

#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/gradient/function/argument_shape.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace tapeless {

template <class T>
struct tensor_traits;

namespace detail {

/// A sequence among the arguments, in numbers of type `T`.
template <class T, class V>
constexpr scalar::sequence<T> sequence_in(const V& values) {
  if constexpr (Number_vector<V> && std::is_same_v<T, std::remove_cv_t<typename V::value_type>>)
    return {values.data(), 1, values.size()};  // nothing to convert: no code that allocates
  else if constexpr (Number_vector<V>)
    return sequence_at<T>(values.size(), [&](std::size_t i) -> const auto& { return values[i]; });
  else {
    using traits = tensor_traits<V>;
    static_assert(traits::rank == 1);
    return sequence_at<T>(static_cast<std::size_t>(traits::extent(values, 0)), traits::data(values),
                          traits::stride(values, 0));
  }
}
template <class T, std::size_t I, class V>
constexpr scalar::sequence<T> sequence_in(const record_column<I, V>& column) {
  return sequence_at<T>(column.records->size(), [&](std::size_t i) -> const auto& {
    return shape_of<std::remove_const_t<typename V::value_type>>::template element<I>((*column.records)[i]);
  });
}

/// What a traced program is evaluated with: the numbers of its arguments.
template <class T, class... Args>
struct function_inputs {
  std::tuple<const Args&...> arguments;

  constexpr explicit function_inputs(const Args&... args) : arguments(args...) {}

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr auto variable() const {
    const auto& found = argument_layout<Args...>::template leaf<static_cast<std::size_t>(I)>(arguments);
    if constexpr (Sequence_argument<std::remove_cvref_t<decltype(found)>>)
      return sequence_in<T>(found);
    else
      return static_cast<T>(immediate<T>(found));
  }
};

template <class... Args>
using function_real_t = common_real_t<typename shape_of<Args>::number...>;

}  // namespace detail

}  // namespace tapeless
