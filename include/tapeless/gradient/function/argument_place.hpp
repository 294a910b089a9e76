#pragma once

#include <tapeless/gradient/function/argument_shape.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tapeless::detail {

/// Where a number stands in the arguments of a function: "argument 0.weights[1][2]". What is too long ends with the
/// number of the variable, since these are told apart by their names.
class place {
  std::array<char, 128> text_{};
  std::size_t size_ = 0;

  constexpr void append(std::string_view more) {
    for (const char c : more)
      if (size_ < text_.size()) text_[size_++] = c;
  }
  constexpr void append(std::size_t number) {
    if (number >= 10) append(number / 10);
    const char digit = static_cast<char>('0' + number % 10);
    append(std::string_view(&digit, 1));
  }

  /// Of the number `leaf` of an argument of type `T`.
  template <class T>
  constexpr void append_leaf(std::size_t leaf) {
    if constexpr (Structure<T>)
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        static_cast<void>((append_member<T, I>(leaf) || ...));
      }(std::make_index_sequence<structure<T>::size>{});
    else if constexpr (requires { shape_of<T>::parts; })
      append(shape_of<T>::parts[leaf]);
    else if constexpr (requires { typename shape_of<T>::record; })
      append("[:]"), append_leaf<as_array_t<typename shape_of<T>::record>>(leaf);
  }
  template <class T, std::size_t I>
  constexpr bool append_member(std::size_t& leaf) {
    using member = typename structure<T>::template member<I>;
    if (leaf >= shape_of<member>::size) {
      leaf -= shape_of<member>::size;
      return false;
    }
    if constexpr (Adapted_struct<T>) {
      append(".");
      append(members_of<T>::template name<I>::c_str());
    } else {
      append("[");
      append(I);
      append("]");
    }
    append_leaf<as_array_t<member>>(leaf);
    return true;
  }

 public:
  constexpr explicit place(std::size_t position) {
    append("argument ");
    append(position);
  }
  template <class... Args>
  constexpr place(argument_layout<Args...> layout, std::size_t variable) : place(layout.position(variable)) {
    const std::size_t position = layout.position(variable), leaf = variable - layout.first(position);
    std::size_t p = 0;
    static_cast<void>(((p++ == position ? (append_leaf<as_array_t<Args>>(leaf), true) : false) || ...));
    if (size_ == text_.size()) size_ -= 10, append("... "), append(variable);
  }
  constexpr std::string_view text() const { return {text_.data(), size_}; }
};
template <std::size_t Position>
inline constexpr place argument_name(Position);
template <class Layout, int Variable>
inline constexpr place place_of(Layout{}, static_cast<std::size_t>(Variable));
/// The places of variables of a function's program.
template <class Layout, int... Variables>
constexpr std::array<std::string_view, sizeof...(Variables)> names_of_places(Layout,
                                                                             std::integer_sequence<int, Variables...>) {
  return {place_of<Layout, Variables>.text()...};
}

}  // namespace tapeless::detail
