#ifndef TAPELESS_TEST_ALLOCATIONS_HPP
#define TAPELESS_TEST_ALLOCATIONS_HPP

// Counts what a test program allocates. One unit of it includes this: it replaces operator new.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#ifdef _WIN32
#include <malloc.h>
#endif

namespace tapeless_test {

inline std::size_t allocations = 0;
inline std::size_t allocated_bytes = 0;

inline void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  allocated_bytes += size;
  const std::size_t whole = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
#ifdef _WIN32
  if (void* const memory = _aligned_malloc(whole, alignment)) return memory;
#else
  if (void* const memory = std::aligned_alloc(alignment, whole)) return memory;
#endif
  throw std::bad_alloc();
}
inline void release(void* memory) noexcept {
#ifdef _WIN32
  _aligned_free(memory);
#else
  std::free(memory);
#endif
}

}  // namespace tapeless_test

// Where g++ 12 inlines these it takes malloc and free for mistakes.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return tapeless_test::allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return tapeless_test::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { tapeless_test::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { tapeless_test::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { tapeless_test::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  tapeless_test::release(memory);
}
// The sanitizers have those of arrays for themselves.
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return tapeless_test::allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return tapeless_test::allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept { tapeless_test::release(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { tapeless_test::release(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept { tapeless_test::release(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  tapeless_test::release(memory);
}

#endif
