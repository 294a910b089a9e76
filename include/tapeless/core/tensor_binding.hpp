#pragma once

namespace tapeless {

/// Whether a variable can be bound to a `T` as to a tensor; storage.hpp says of which types that holds.
template <class T>
inline constexpr bool is_tensor = false;

/// A tensor that refers to elements that something else owns, so that a temporary may be bound.
template <class T>
inline constexpr bool is_tensor_view = false;

/// What a variable is bound to that is a tensor: the tensor itself, which stays where it is.
template <class T>
struct tensor_reference {
  using tensor_type = T;
  const T* tensor;
  constexpr const T& get() const { return *tensor; }
};
template <class T>
struct tensor_view_value {
  using tensor_type = T;
  T tensor;
  constexpr const T& get() const { return tensor; }
};

namespace detail {

template <class T>
inline constexpr bool is_bound_tensor = false;
template <class T>
inline constexpr bool is_bound_tensor<tensor_reference<T>> = true;
template <class T>
inline constexpr bool is_bound_tensor<tensor_view_value<T>> = true;

/// The tensor or number that something is kept as.
template <class T>
struct kept {
  using type = T;
  static constexpr const T& get(const T& value) { return value; }
};
template <class T>
  requires is_bound_tensor<T>
struct kept<T> {
  using type = typename T::tensor_type;
  static constexpr const type& get(const T& value) { return value.get(); }
};

}  // namespace detail

}  // namespace tapeless
