#ifndef TAPELESS_EVALUATE_MEMORY_WORKSPACE_HPP
#define TAPELESS_EVALUATE_MEMORY_WORKSPACE_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/program/graph/tuning.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// Memory for what kernels leave for each other; grows, and is used again by later calls.
template <class T>
class workspace {
  static constexpr std::size_t alignment = tuning::line;
  struct release {
    void operator()(T* memory) const { ::operator delete[](memory, std::align_val_t{alignment}); }
  };
  std::unique_ptr<T[], release> memory_;
  std::size_t size_ = 0;

 public:
  workspace() = default;
  // What is moved from has no memory, and knows it: a result that was moved from is used again.
  workspace(workspace&& other) noexcept : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  workspace& operator=(workspace&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  // What it holds is needed during a call only.
  workspace(const workspace&) {}
  workspace& operator=(const workspace&) { return *this; }

  T* reserve(std::size_t size) {
    if (size > size_) {
      memory_.reset(static_cast<T*>(::operator new[](size * sizeof(T), std::align_val_t{alignment})));
      size_ = size;
    }
    return memory_.get();
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET

#endif
