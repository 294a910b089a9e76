#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace tapeless::program {

/// Copies elements, eight a statement: compilers count the steps of an evaluation, clang its statements.
template <class T>
constexpr void copy_elements(const T* from, int count, T* to) {
  int i = 0;
  for (; i + 8 <= count; i += 8)
    to[i] = from[i], to[i + 1] = from[i + 1], to[i + 2] = from[i + 2], to[i + 3] = from[i + 3], to[i + 4] = from[i + 4],
    to[i + 5] = from[i + 5], to[i + 6] = from[i + 6], to[i + 7] = from[i + 7];
  for (; i < count; ++i) to[i] = from[i];
}

/// What the passes keep their nodes in during constant evaluation. Compilers count the steps of an evaluation (clang:
/// its statements), and the layers of std::vector cost ten times those of this: elements are reached by plain pointer
/// arithmetic.
template <class T>
class growing_array {
 public:
  using element = T;
  T* data = nullptr;
  int size = 0;

  constexpr growing_array() = default;
  constexpr growing_array(int count, const T& value) : data(allocate(count)), size(count) {
    capacity_ = count;
    // New elements are zero.
    if constexpr (std::is_integral_v<T>)
      if (value == 0) return;
    int i = 0;
    for (; i + 8 <= count; i += 8)
      data[i] = value, data[i + 1] = value, data[i + 2] = value, data[i + 3] = value, data[i + 4] = value,
      data[i + 5] = value, data[i + 6] = value, data[i + 7] = value;
    for (; i < count; ++i) data[i] = value;
  }
  constexpr growing_array(const T* from, int count) : data(allocate(count)), size(count) {
    capacity_ = count;
    copy_elements(from, count, data);
  }
  constexpr growing_array(const growing_array& other) : growing_array(other.data, other.size) {}
  constexpr growing_array(growing_array&& other) noexcept { take(other); }
  constexpr growing_array& operator=(growing_array other) noexcept {
    T* const own = data;
    take(other);
    other.data = own;
    return *this;
  }
  constexpr ~growing_array() { delete[] data; }

  constexpr T& operator[](int i) { return data[i]; }
  constexpr const T& operator[](int i) const { return data[i]; }
  constexpr const T* begin() const { return data; }
  constexpr const T* end() const { return data + size; }

  constexpr void push_back(const T& value) {
    size == capacity_ ? grow_and_push_back(value) : void(data[size++] = value);
  }
  constexpr void append_pair(T first, T second) {
    size + 2 > capacity_ ? grow(larger_capacity()) : void(), data[size] = first, data[size + 1] = second, size += 2;
  }
  /// Appends elements.
  constexpr void append(const T* from, int count) {
    reserve(size + count);
    copy_elements(from, count, data + size);
    size += count;
  }
  /// Makes room for `count` elements.
  constexpr void reserve(int count) {
    if (count > capacity_) grow(count);
  }

 private:
  int capacity_ = 0;

  // By hand: std::swap and std::exchange are instantiated for each type of elements.
  constexpr void take(growing_array& other) {
    data = other.data, size = other.size, capacity_ = other.capacity_;
    other.data = nullptr, other.size = 0, other.capacity_ = 0;
  }

  // The EDG front end refuses arrays of no elements in constant evaluation. Without the braces clang takes a step for
  // each element whose members have initializers.
  static constexpr T* allocate(int count) { return count > 0 ? new T[static_cast<std::size_t>(count)]{} : nullptr; }

  constexpr int larger_capacity() const { return 4 * capacity_ + 32; }
  // By value: an element of the array itself ends where the array grows.
  constexpr void grow_and_push_back(T value) {
    grow(larger_capacity());
    data[size++] = value;
  }
  constexpr void grow(int capacity) {
    capacity_ = capacity;
    T* larger = allocate(capacity_);
    copy_elements(data, size, larger);
    delete[] data;
    data = larger;
  }
};

/// Lists of numbers, one for each key: that of key k is `all` from `first[k]` to `first[k + 1]`. `visit(add)` calls
/// add(key, number) for each number; it runs twice. What is added to a list last stands first.
struct number_lists {
  growing_array<int> first, all;

  constexpr number_lists() = default;
  template <class Visit>
  constexpr number_lists(int keys, const Visit& visit) : first(keys + 1, 0) {
    visit([&](int key, int) { ++first.data[key]; });
    for (int key = 0; key < keys; ++key) first.data[key + 1] += first.data[key];
    all = growing_array<int>(first.data[keys], 0);
    visit([&](int key, int number) { all.data[--first.data[key]] = number; });
  }
};

/// The elements of a list of that size as an array.
template <int Size, class T>
constexpr auto array_of(const growing_array<T>& list) {
  std::array<T, static_cast<std::size_t>(Size)> result{};
  copy_elements(list.data, Size, result.data());
  return result;
}
/// What `list()` gives, a growing_array, as an array of its size; a lambda without captures.
template <class List>
constexpr auto as_array(List list) {
  constexpr int size = list().size;  // clang 16 does not take it as a template's argument
  return array_of<size>(list());
}

}  // namespace tapeless::program
