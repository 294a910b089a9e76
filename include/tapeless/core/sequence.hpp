#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/core/thread_memory.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace tapeless::scalar::inline TAPELESS_TARGET {

/// How an element of a sequence lies in memory: as itself. SIMD lanes, which specialise it, lie side by side as
/// numbers.
template <class T>
struct element_in_memory {
  using number = T;
  static constexpr std::ptrdiff_t width = 1;
  static constexpr const number* numbers(const T* elements) { return elements; }
  TAPELESS_ALWAYS_INLINE static constexpr const T& read(const number* at) { return *at; }
  /// The number that all lanes have; NaN where they differ.
  static constexpr const T& in_common(const T& same) { return same; }
};

/// Elements in memory, `stride` numbers apart.
template <class T>
struct sequence_view {
  using memory_type = element_in_memory<T>;
  using number = typename memory_type::number;
  const number* data = nullptr;
  std::ptrdiff_t stride = memory_type::width;
  std::size_t size = 0;

  /// Every `apart`-th of the elements from `first` on.
  static constexpr sequence_view of_elements(const T* first, std::ptrdiff_t apart, std::size_t count) {
    return {memory_type::numbers(first), apart * memory_type::width, count};
  }
  constexpr const sequence_view& view() const { return *this; }
  TAPELESS_ALWAYS_INLINE constexpr decltype(auto) operator[](std::size_t i) const {
    return memory_type::read(data + static_cast<std::ptrdiff_t>(i) * stride);
  }
  /// Asks for the element `ahead` elements after number `i` in memory, which need not be one of this sequence. Inlined,
  /// since g++ takes calls of a function that does nothing else to have no effect.
  TAPELESS_ALWAYS_INLINE void prefetch(std::size_t i, std::ptrdiff_t ahead) const {
    const auto bytes = static_cast<std::size_t>(ahead * memory_type::width) * sizeof(number);
    const auto at = reinterpret_cast<std::uintptr_t>(data + static_cast<std::ptrdiff_t>(i) * stride) + bytes;
    __builtin_prefetch(reinterpret_cast<const void*>(at));
  }
  constexpr T length() const { return static_cast<T>(size); }
};

/// The same, and the memory where it is the sequence's own.
template <class T>
class sequence : public sequence_view<T> {
  T* owned_ = nullptr;

  // Memory is the thread's, kept for the next call, where numbers need no constructor.
  static constexpr bool reuses =
      std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T> && alignof(T) <= 64;
  static constexpr T* allocate(std::size_t count) {
#ifdef TAPELESS_NO_HEAP
    static_assert(sizeof(T) == 0,
                  "tapeless: this scan keeps its steps on the heap, which TAPELESS_NO_HEAP forbids: use "
                  "scan<checkpoints<n>>, or a small constant number of steps [TL130]");
#endif
    if constexpr (reuses)
      if (!std::is_constant_evaluated()) {
        constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / sizeof(T);
        const std::size_t bytes = (count < most ? count : most) * sizeof(T);
        return static_cast<T*>(tapeless::detail::of_thread<tapeless::detail::loop_memory>().take(bytes));
      }
    return new T[count];
  }

 public:
  constexpr sequence() = default;
  constexpr sequence(const sequence_view<T>& there) : sequence_view<T>(there) {}
  /// `apart` counts numbers.
  constexpr sequence(const typename sequence_view<T>::number* first, std::ptrdiff_t apart, std::size_t count)
      : sequence_view<T>{first, apart, count} {}
  /// `count` elements in memory of its own, which has `memory` of them.
  static constexpr sequence owning(std::size_t memory, std::ptrdiff_t apart, std::size_t count) {
    T* const elements = allocate(memory);
    sequence result = sequence_view<T>::of_elements(elements, apart, count);
    result.owned_ = elements;
    return result;
  }
  constexpr sequence(sequence&& other) noexcept
      : sequence_view<T>(other), owned_(std::exchange(other.owned_, nullptr)) {}
  constexpr sequence& operator=(sequence&& other) noexcept {
    std::swap(owned_, other.owned_);
    sequence_view<T>::operator=(other);
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

  constexpr T* memory() const { return owned_; }
};

/// A sequence of `count` times `number`.
template <class T>
constexpr sequence<T> repeated(const T& number, const T& count) {
  auto result = sequence<T>::owning(1, 0, static_cast<std::size_t>(element_in_memory<T>::in_common(count)));
  *result.memory() = number;
  return result;
}

}  // namespace tapeless::scalar::inline TAPELESS_TARGET
