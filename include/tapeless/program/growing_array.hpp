#ifndef TAPELESS_PROGRAM_GROWING_ARRAY_HPP
#define TAPELESS_PROGRAM_GROWING_ARRAY_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <cstddef>
#include <utility>

namespace tapeless::program {

/// What the passes keep their nodes in during constant evaluation. Compilers count the steps of an evaluation (clang:
/// its statements), and the layers of std::vector cost ten times those of this: elements are reached by plain pointer
/// arithmetic.
template <class T>
class growing_array {
 public:
  T* data = nullptr;
  int size = 0;

  constexpr growing_array() = default;
  constexpr growing_array(int count, const T& value) : data(allocate(count)), size(count) {
    capacity_ = count;
    for (int i = 0; i < count; ++i) data[i] = value;
  }
  constexpr growing_array(const T* from, int count) : data(allocate(count)), size(count) {
    capacity_ = count;
    for (int i = 0; i < count; ++i) data[i] = from[i];
  }
  constexpr growing_array(const growing_array& other) : growing_array(other.data, other.size) {}
  constexpr growing_array(growing_array&& other) noexcept
      : data(std::exchange(other.data, nullptr)),
        size(std::exchange(other.size, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  constexpr growing_array& operator=(growing_array other) noexcept {
    std::swap(data, other.data);
    std::swap(size, other.size);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  constexpr ~growing_array() { delete[] data; }

  constexpr T& operator[](int i) { return data[i]; }
  constexpr const T& operator[](int i) const { return data[i]; }
  constexpr const T* begin() const { return data; }
  constexpr const T* end() const { return data + size; }

  constexpr void push_back(const T& value) {
    (size == capacity_ ? grow(capacity_ < 16 ? 32 : 4 * capacity_) : void()), data[size++] = value;
  }
  /// Makes room for `count` elements.
  constexpr void reserve(int count) {
    if (count > capacity_) grow(count);
  }

 private:
  int capacity_ = 0;

  // The EDG front end refuses arrays of no elements in constant evaluation.
  static constexpr T* allocate(int count) { return count > 0 ? new T[static_cast<std::size_t>(count)] : nullptr; }

  constexpr void grow(int capacity) {
    capacity_ = capacity;
    T* larger = allocate(capacity_);
    for (int i = 0; i < size; ++i) larger[i] = data[i];
    delete[] data;
    data = larger;
  }
};

}  // namespace tapeless::program

#endif
