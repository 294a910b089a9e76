#pragma once

#include <cstddef>
#include <limits>
#include <new>

namespace tapeless {

namespace detail {

/// An object that a thread has for each `Use`. The end of the thread destroys it; destructors that run later, those of
/// global objects for instance, share another that stays. Hence a pointer, which itself is never destroyed.
template <class T, class Use = T>
T& of_thread() {
  static thread_local T* object = nullptr;
  if (!object) [[unlikely]] {
    static thread_local struct end {
      ~end() {
        T* const last = object;
        object = nullptr;
        delete last;
      }
    } at_end;
    object = new T();
  }
  return *object;
}

/// Memory that the loops of a thread use one call after another: blocks, each in use or free. A request takes the
/// smallest free block that is large enough, and one that finds none replaces the largest free block, so that no more
/// blocks are held than were ever in use at a time.
class loop_memory {
  struct alignas(64) block {
    block* next;
    void* start;
    std::size_t bytes;
    bool used;
  };
  block* first_ = nullptr;

 public:
  loop_memory() = default;
  loop_memory(const loop_memory&) = delete;
  loop_memory& operator=(const loop_memory&) = delete;
  ~loop_memory() { release(); }

  void* take(std::size_t bytes) {
    block *best = nullptr, **largest = nullptr;
    for (block** at = &first_; *at; at = &(*at)->next) {
      block& each = **at;
      if (each.used) continue;
      if (each.bytes >= bytes && (!best || each.bytes < best->bytes)) best = &each;
      if (!largest || each.bytes > (*largest)->bytes) largest = at;
    }
    if (!best) {
      if (largest) drop(*largest);
      // What is too much for a sum is so for `operator new`, which says so.
      constexpr std::size_t most = std::numeric_limits<std::size_t>::max() - 2 * sizeof(block);
      void* const start = ::operator new((bytes < most ? bytes : most) + 2 * sizeof(block));
      // To the next boundary: `operator new` aligns to less.
      const auto past = reinterpret_cast<std::size_t>(start) % alignof(block);
      best = ::new (static_cast<char*>(start) + (past ? alignof(block) - past : 0)) block{first_, start, bytes, false};
      first_ = best;
    }
    best->used = true;
    return best + 1;
  }
  static void give_back(void* memory) { (static_cast<block*>(memory) - 1)->used = false; }

  /// Frees the blocks that are not in use.
  void release() {
    for (block** at = &first_; *at;)
      if ((*at)->used)
        at = &(*at)->next;
      else
        drop(*at);
  }

 private:
  static void drop(block*& place) {
    void* const start = place->start;
    place = place->next;
    ::operator delete(start);
  }
};

}  // namespace detail

/// Frees the memory that the calling thread keeps for its next loop. The end of the thread frees it too.
inline void release_loop_memory() { detail::of_thread<detail::loop_memory>().release(); }

}  // namespace tapeless
