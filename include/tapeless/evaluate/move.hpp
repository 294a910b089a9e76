#ifndef TAPELESS_EVALUATE_MOVE_HPP
#define TAPELESS_EVALUATE_MOVE_HPP

#include <tapeless/core/target.hpp>
#include <tapeless/program/node.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// A tensor in memory, its axes in order.
template <class T>
struct strided {
  T* data = nullptr;
  int rank = 0;
  std::array<std::ptrdiff_t, program::max_rank> extents{};
  std::array<std::ptrdiff_t, program::max_rank> strides{};

  std::ptrdiff_t size() const {
    std::ptrdiff_t result = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) result *= extents[i];
    return result;
  }
  std::ptrdiff_t offset(const std::array<std::ptrdiff_t, program::max_rank>& at) const {
    std::ptrdiff_t result = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) result += at[i] * strides[i];
    return result;
  }
  /// Where the elements lie: from the first byte to that after the last.
  std::pair<const void*, const void*> bytes() const {
    if (size() == 0) return {data, data};
    const T *first = data, *last = data;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i)
      (strides[i] < 0 ? first : last) += (extents[i] - 1) * strides[i];
    return {first, last + 1};
  }
  /// visit(index) for every index in row-major order.
  template <class Visit>
  void for_each(Visit visit) const {
    std::array<std::ptrdiff_t, program::max_rank> at{};
    for (std::ptrdiff_t left = size(); left > 0; --left) {
      visit(at);
      for (std::size_t i = static_cast<std::size_t>(rank); i-- > 0 && ++at[i] == extents[i];) at[i] = 0;
    }
  }
};

/// Moves the elements of `from` into `to`. Of a range, `begin` is where it begins; indices are at `indices`, negative
/// ones count from the back.
template <class T>
void move_elements(const program::tensor_move& move, std::ptrdiff_t begin, const strided<T>& from, const strided<T>& to,
                   const T* indices, std::ptrdiff_t index_stride) {
  using enum program::move_kind;
  const std::size_t position = static_cast<std::size_t>(move.position);
  const auto chosen = [&](std::ptrdiff_t i, std::ptrdiff_t extent) {
    const auto index = static_cast<std::ptrdiff_t>(indices[i * index_stride]);
    return index < 0 ? index + extent : index;
  };
  if (move.kind == pad || move.kind == put) to.for_each([&](const auto& at) { to.data[to.offset(at)] = T(0); });
  switch (move.kind) {
    case slice:
      to.for_each([&](auto at) {
        T& element = to.data[to.offset(at)];
        at[position] += begin;
        element = from.data[from.offset(at)];
      });
      break;
    case pad:
      from.for_each([&](auto at) {
        const T element = from.data[from.offset(at)];
        at[position] += begin;
        to.data[to.offset(at)] = element;
      });
      break;
    case take:
      to.for_each([&](auto at) {
        T& element = to.data[to.offset(at)];
        at[position] = chosen(at[position], from.extents[position]);
        element = from.data[from.offset(at)];
      });
      break;
    case put:
      from.for_each([&](auto at) {
        const T element = from.data[from.offset(at)];
        at[position] = chosen(at[position], to.extents[position]);
        to.data[to.offset(at)] += element;
      });
      break;
    case reshape: {
      std::array<std::ptrdiff_t, program::max_rank> at{};
      from.for_each([&](const auto& source) {
        to.data[to.offset(at)] = from.data[from.offset(source)];
        for (std::size_t i = static_cast<std::size_t>(to.rank); i-- > 0 && ++at[i] == to.extents[i];) at[i] = 0;
      });
      break;
    }
  }
}

}  // namespace tapeless::loops::inline TAPELESS_TARGET

#endif
