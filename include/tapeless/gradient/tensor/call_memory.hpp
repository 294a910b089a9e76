#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>
#include <tapeless/evaluate/node_by_node.hpp>

#include <array>
#include <cstddef>

namespace tapeless::detail::inline TAPELESS_TARGET {

/// The memory of a call besides its result: for what the loops leave for each other, for conversions of what is bound
/// in another number type, and for derivatives that are added up to their variable's shape.
template <class T, std::size_t Variables, std::size_t Outputs>
struct call_memory {
  loops::workspace<T> buffers;
  loops::workspace<T> parts;
  loops::node_memory<T> arrays;
  loops::workspace<T> indices;
  std::array<loops::workspace<std::ptrdiff_t>, Variables> chosen;
  std::array<loops::workspace<T>, Variables> converted;
  std::array<loops::workspace<T>, Outputs> pieces;
};

/// Memory that stays for the next call on this thread: of calls into results that have no place for it. A call that the
/// thread makes before another has ended has its own.
template <class Memory, class F>
auto with_memory_of_thread(const F& f) {
  struct kept {
    Memory memory;
    bool used = false;
  };
  static thread_local kept all;
  if (all.used) {
    Memory own;
    return f(own);
  }
  struct use {
    bool& used;
    explicit use(bool& flag) : used(flag) { used = true; }
    use(const use&) = delete;
    use& operator=(const use&) = delete;
    ~use() { used = false; }
  } const lock(all.used);
  return f(all.memory);
}

/// The same for calls into results that exist; others have memory of their own.
template <class Memory, class F>
auto with_memory_for(bool existing, const F& f) {
  if (existing) return with_memory_of_thread<Memory>(f);
  Memory own;
  return f(own);
}

/// `compute(r)` for a result that exists: at once where that may be written early, else by way of another.
template <class R, class Compute>
void write_into(R& r, bool early, const Compute& compute) {
  if (early) [[likely]]
    return compute(r);
  with_memory_of_thread<R>([&](R& apart) {
    compute(apart);
    r = apart;
  });
}

}  // namespace tapeless::detail::inline TAPELESS_TARGET
