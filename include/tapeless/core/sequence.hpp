#ifndef TAPELESS_CORE_SEQUENCE_HPP
#define TAPELESS_CORE_SEQUENCE_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/loop_memory.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace tapeless::scalar {

/// Numbers in memory, `stride` apart, and the memory where it is the sequence's own.
template <class T>
class sequence {
  T* owned_ = nullptr;

  // Memory is the thread's, kept for the next call, where numbers need no constructor.
  static constexpr bool reuses =
      std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> && alignof(T) <= 64;
  static constexpr T* allocate(std::size_t count) {
    if constexpr (reuses)
      if (!std::is_constant_evaluated()) {
        constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(T);
        const std::size_t bytes = (count < most ? count : most) * sizeof(T);
        return static_cast<T*>(tapeless::detail::loop_memory::of_thread().take(bytes));
      }
    return new T[count];
  }

 public:
  const T* data = nullptr;
  std::ptrdiff_t stride = 1;
  std::size_t size = 0;

  constexpr sequence() = default;
  constexpr sequence(const T* first, std::ptrdiff_t apart, std::size_t count)
      : data(first), stride(apart), size(count) {}
  /// `count` numbers in memory of its own, which has `memory` of them.
  static constexpr sequence owning(std::size_t memory, std::ptrdiff_t apart, std::size_t count) {
    sequence result;
    result.owned_ = allocate(memory);
    result.data = result.owned_, result.stride = apart, result.size = count;
    return result;
  }
  constexpr sequence(sequence&& other) noexcept
      : owned_(std::exchange(other.owned_, nullptr)), data(other.data), stride(other.stride), size(other.size) {}
  constexpr sequence& operator=(sequence&& other) noexcept {
    std::swap(owned_, other.owned_);
    data = other.data, stride = other.stride, size = other.size;
    return *this;
  }
  constexpr ~sequence() {
    if (!owned_) return;
    if constexpr (reuses)
      if (!std::is_constant_evaluated()) {
        tapeless::detail::loop_memory::give_back(owned_);
        return;
      }
    delete[] owned_;
  }

  constexpr T* memory() { return owned_; }
  /// The same numbers, which stay where they are.
  constexpr sequence view() const { return {data, stride, size}; }
  TAPELESS_ALWAYS_INLINE constexpr const T& operator[](std::size_t i) const {
    return data[static_cast<std::ptrdiff_t>(i) * stride];
  }
  constexpr T length() const { return static_cast<T>(size); }
};

/// A sequence of `count` times `number`.
template <class T>
constexpr sequence<T> repeated(const T& number, const T& count) {
  auto result = sequence<T>::owning(1, 0, static_cast<std::size_t>(count));
  *result.memory() = number;
  return result;
}

}  // namespace tapeless::scalar

#endif
