#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/program/graph/tuning.hpp>

#include <cstddef>
#include <new>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// Memory for what kernels leave for each other; grows, and is used again by later calls.
template <class T>
class workspace {
  static constexpr std::size_t alignment = tuning::line;
  T* memory_ = nullptr;
  std::size_t size_ = 0;

 public:
  workspace() = default;
  ~workspace() { ::operator delete[](memory_, std::align_val_t{alignment}); }
  // What is moved from has no memory, and knows it: a result that was moved from is used again.
  workspace(workspace&& other) noexcept { swap(other); }
  workspace& operator=(workspace&& other) noexcept {
    workspace(std::move(other)).swap(*this);
    return *this;
  }
  // What it holds is needed during a call only.
  workspace(const workspace&) {}
  workspace& operator=(const workspace&) { return *this; }

  T* reserve(std::size_t size) {
    if (size > size_) {
      workspace larger;
      larger.memory_ = static_cast<T*>(::operator new[](size * sizeof(T), std::align_val_t{alignment}));
      larger.size_ = size;
      swap(larger);
    }
    return memory_;
  }

 private:
  void swap(workspace& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
