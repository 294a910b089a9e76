#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/program/graph/node.hpp>
#include <tapeless/program/graph/tuning.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// A tensor in memory, its axes in order.
template <class T>
struct strided {
  T* data = nullptr;
  int rank = 0;
  std::array<std::ptrdiff_t, program::max_rank> extents{};
  std::array<std::ptrdiff_t, program::max_rank> strides{};

  TAPELESS_ALWAYS_INLINE std::ptrdiff_t size() const {
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
  TAPELESS_ALWAYS_INLINE std::pair<const void*, const void*> bytes() const {
    // A container that was moved from keeps its shape.
    if (!data || size() == 0) return {data, data};
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

/// How long axis number `axis` of a program is; -1 stands for one that a tensor has and the program does not.
TAPELESS_ALWAYS_INLINE std::ptrdiff_t extent_of(const std::ptrdiff_t* extents, int axis) {
  return axis < 0 ? 1 : extents[axis];
}
/// A tensor whose axes are those of `access`, by the extents and strides of all axes of a program; of no strides one
/// number for all elements.
template <class T>
strided<T> strided_by(const program::tensor_access& access, T* data, const std::ptrdiff_t* extents,
                      const std::ptrdiff_t* strides) {
  strided<T> result{data, access.rank, {}, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(access.rank); ++i) {
    const int id = access.axes[i];
    result.extents[i] = extent_of(extents, id), result.strides[i] = id < 0 || !strides ? 0 : strides[id];
  }
  return result;
}

/// Two tensors of the same extents, row by row; axes along which both lie without a gap are one.
template <class T, class U = T>
class pair_of_tensors {
  struct axis {
    std::ptrdiff_t extent = 1, to = 0, from = 0;
  };
  // The last is that of the rows.
  std::array<axis, program::max_rank + 1> axes_{};
  std::size_t count_ = 0;
  T* to_;
  const U* from_;
  bool empty_ = false;

 public:
  pair_of_tensors(const strided<T>& to, const strided<U>& from) : to_(to.data), from_(from.data) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(to.rank); ++i) {
      const axis next{to.extents[i], to.strides[i], from.strides[i]};
      empty_ = empty_ || next.extent == 0;
      if (next.extent == 1) continue;
      if (axis* outer = count_ ? &axes_[count_ - 1] : nullptr;
          outer && outer->to == next.to * next.extent && outer->from == next.from * next.extent)
        *outer = {outer->extent * next.extent, next.to, next.from};
      else
        axes_[count_++] = next;
    }
    if (count_ == 0) count_ = 1;
    // Short rows would be all overhead.
    axis& row = axes_[count_ - 1];
    if (row.extent < tuning::short_row)
      for (std::size_t i = 0; i + 1 < count_; ++i)
        if (axes_[i].extent > row.extent) std::swap(axes_[i], row);
  }

  /// visit(to, its stride, from, its stride, number of elements)
  template <class Visit>
  void for_each_row(Visit visit) const {
    if (empty_) return;
    const axis row = axes_[count_ - 1];
    std::array<std::ptrdiff_t, program::max_rank + 1> at{};
    T* to = to_;
    const U* from = from_;
    while (true) {
      visit(to, row.to, from, row.from, row.extent);
      std::size_t i = count_ - 1;
      while (true) {
        if (i == 0) return;
        const axis& outer = axes_[--i];
        to += outer.to, from += outer.from;
        if (++at[i] < outer.extent) break;
        to -= outer.to * outer.extent, from -= outer.from * outer.extent;
        at[i] = 0;
      }
    }
  }
};

/// Numbers of another type are converted.
template <class T, class U>
void copy_row(T* to, std::ptrdiff_t to_stride, const U* from, std::ptrdiff_t from_stride, std::ptrdiff_t count) {
  if constexpr (std::is_same_v<T, U>)
    if (to_stride == 1 && from_stride == 1 && count > 0) {
      std::memmove(to, from, static_cast<std::size_t>(count) * sizeof(T));
      return;
    }
  if (to_stride == 1 && from_stride == 0 && count > 0)
    for (const T number = static_cast<T>(*from); count > 0; --count) *to++ = number;
  else if (to_stride == 1 && from_stride == 2)  // parts of complex numbers
    for (std::ptrdiff_t i = 0; i < count; ++i) to[i] = static_cast<T>(from[2 * i]);
  else
    for (std::ptrdiff_t i = 0; i < count; ++i) to[i * to_stride] = static_cast<T>(from[i * from_stride]);
}
template <class T>
void add_row(T* to, std::ptrdiff_t to_stride, const T* from, std::ptrdiff_t from_stride, std::ptrdiff_t count) {
  if (to_stride == 1 && from_stride == 1)
    for (std::ptrdiff_t i = 0; i < count; ++i) to[i] += from[i];
  else
    for (std::ptrdiff_t i = 0; i < count; ++i) to[i * to_stride] += from[i * from_stride];
}

template <class T, class U>
void copy(const strided<T>& to, const strided<U>& from) {
  if (to.rank <= 1) return copy_row(to.data, to.strides[0], from.data, from.strides[0], to.size());
  pair_of_tensors<T, U>(to, from).for_each_row(copy_row<T, U>);
}
template <class T>
void add(const strided<T>& to, const strided<T>& from) {
  pair_of_tensors<T>(to, from).for_each_row(add_row<T>);
}
template <class T>
void fill(const strided<T>& to, T number) {
  copy(to, strided<T>{&number, to.rank, to.extents, {}});
}

/// The elements of a tensor in the shape of another with as many.
template <class T>
void reshape(const strided<T>& to, const strided<T>& from) {
  // A row is what lies with one stride: all of a tensor without gaps.
  struct rows {
    T* data;
    std::ptrdiff_t count = 1, stride = 1, left;
    std::array<std::ptrdiff_t, program::max_rank> extents{}, strides{}, at{};
    std::size_t outer;

    explicit rows(const strided<T>& of) : data(of.data), outer(static_cast<std::size_t>(of.rank)) {
      bool any = false;
      for (; outer > 0; --outer) {
        const std::ptrdiff_t extent = of.extents[outer - 1], step = of.strides[outer - 1];
        if (extent != 1 && any && step != stride * count) break;
        if (extent != 1 && !any) stride = step, any = true;
        count *= extent;
      }
      for (std::size_t i = 0; i < outer; ++i) extents[i] = of.extents[i], strides[i] = of.strides[i];
      left = count;
    }
    void advance(std::ptrdiff_t by) {
      data += by * stride;
      left -= by;
      if (left > 0) return;
      data -= count * stride;
      left = count;
      for (std::size_t i = outer; i-- > 0;) {
        data += strides[i];
        if (++at[i] < extents[i]) return;
        data -= strides[i] * extents[i];
        at[i] = 0;
      }
    }
  };
  rows source(from), target(to);
  for (std::ptrdiff_t left = to.size(); left > 0;) {
    const std::ptrdiff_t count = source.left < target.left ? source.left : target.left;
    copy_row(target.data, target.stride, source.data, source.stride, count);
    source.advance(count);
    target.advance(count);
    left -= count;
  }
}

template <class T, class Offset, class Row>
void for_each_chosen_row(const strided<T>& chosen, const strided<T>& whole, std::size_t position, Offset offset,
                         Row row) {
  const std::ptrdiff_t count = chosen.extents[position], chosen_stride = chosen.strides[position];
  strided<T> to = chosen, from = whole;
  to.extents[position] = from.extents[position] = 1;
  if (count > 0 && to.size() < tuning::short_row)
    pair_of_tensors<T>(to, from).for_each_row([&](T* to_row, std::ptrdiff_t to_stride, const T* from_row,
                                                  std::ptrdiff_t from_stride, std::ptrdiff_t elements) {
      for (std::ptrdiff_t i = 0; i < count; ++i)
        row(to_row + i * chosen_stride, to_stride, const_cast<T*>(from_row) + offset(i), from_stride, elements);
    });
  else
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      to.data = chosen.data + i * chosen_stride;
      from.data = whole.data + offset(i);
      pair_of_tensors<T>(to, from).for_each_row(
          [&](T* to_row, std::ptrdiff_t to_stride, const T* from_row, std::ptrdiff_t from_stride,
              std::ptrdiff_t elements) { row(to_row, to_stride, const_cast<T*>(from_row), from_stride, elements); });
    }
}

/// Takes the places that `index(i)` names along an axis of `whole`, for each i along that of `chosen`, together with
/// those of `chosen`: row(element of chosen, its stride, element of whole, its stride, number of elements).
template <class T, class Index, class Row>
TAPELESS_ALWAYS_INLINE void for_each_chosen(const strided<T>& chosen, const strided<T>& whole, std::size_t position,
                                            Index index, Row row) {
  const std::ptrdiff_t extent = whole.extents[position], stride = whole.strides[position];
  const auto offset = [=](std::ptrdiff_t i) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(index(i));
    return (at < 0 ? at + extent : at) * stride;
  };
  // Of vectors numbers, by a loop of the caller's: it is often over one.
  if (chosen.rank == 1)
    for (std::ptrdiff_t i = 0; i < chosen.extents[0]; ++i)
      row(chosen.data + i * chosen.strides[0], 0, whole.data + offset(i), 0, 1);
  else
    for_each_chosen_row(chosen, whole, position, offset, row);
}

/// Where a range of `part`'s extent lies in `whole`, from `begin` along an axis, one element in `step`.
template <class T>
strided<T> range(strided<T> whole, const strided<T>& part, std::size_t position, std::ptrdiff_t begin,
                 std::ptrdiff_t step = 1) {
  if (whole.data) whole.data += begin * whole.strides[position];
  whole.extents[position] = part.extents[position];
  whole.strides[position] *= step;
  return whole;
}

/// How far elements move on along an axis of some extent, which is not 0: from 0 up to it.
inline std::ptrdiff_t moved_on(std::ptrdiff_t by, std::ptrdiff_t extent, bool back) {
  const std::ptrdiff_t rest = by % extent, on = rest < 0 ? rest + extent : rest;
  return back && on > 0 ? extent - on : on;
}
/// The elements moved on along an axis, or back; what leaves it comes in at its other end.
template <class T>
void roll(const strided<T>& to, const strided<T>& from, std::size_t position, std::ptrdiff_t by, bool back) {
  const std::ptrdiff_t extent = from.extents[position];
  if (extent == 0) return;
  const std::ptrdiff_t on = moved_on(by, extent, back);
  strided<T> part = from;
  part.extents[position] = extent - on;
  copy(range(to, part, position, on), part);
  part.data += (extent - on) * part.strides[position];
  part.extents[position] = on;
  copy(range(to, part, position, 0), part);
}
/// The sums of the elements up to each along an axis, or from each on.
template <class T>
void accumulate(const strided<T>& to, const strided<T>& from, std::size_t position, bool back) {
  const std::ptrdiff_t extent = from.extents[position];
  if (extent == 0) return;
  const std::ptrdiff_t direction = back ? -1 : 1, along = direction * to.strides[position],
                       from_along = direction * from.strides[position];
  strided<T> first = from;
  first.extents[position] = 1;
  strided<T> sums = range(to, first, position, back ? extent - 1 : 0);
  first = range(from, first, position, back ? extent - 1 : 0);
  pair_of_tensors<T>(sums, first)
      .for_each_row([=](T* row, std::ptrdiff_t stride, const T* x, std::ptrdiff_t x_stride, std::ptrdiff_t count) {
        copy_row(row, stride, x, x_stride, count);
        const auto add_next = [=](std::ptrdiff_t i, std::ptrdiff_t k) {
          T* const sum = row + i * along + k * stride;
          *sum = sum[-along] + x[i * from_along + k * x_stride];
        };
        // What lies closer together is the inner loop.
        if ((stride < 0 ? -stride : stride) < (along < 0 ? -along : along))
          for (std::ptrdiff_t i = 1; i < extent; ++i)
            for (std::ptrdiff_t k = 0; k < count; ++k) add_next(i, k);
        else
          for (std::ptrdiff_t k = 0; k < count; ++k)
            for (std::ptrdiff_t i = 1; i < extent; ++i) add_next(i, k);
      });
}

/// The elements of `from` that `index` names along an axis.
template <class T, class Index>
void take(const strided<T>& to, const strided<T>& from, std::size_t position, Index index) {
  for_each_chosen(
      to, from, position, index,
      [](T* to_row, std::ptrdiff_t to_stride, const T* from_row, std::ptrdiff_t from_stride, std::ptrdiff_t count) {
        for (std::ptrdiff_t i = 0; i < count; ++i) to_row[i * to_stride] = from_row[i * from_stride];
      });
}
/// And back: adds elements where they were taken.
template <class T, class Index>
void put(const strided<T>& to, const strided<T>& from, std::size_t position, Index index) {
  for_each_chosen(
      from, to, position, index,
      [](const T* from_row, std::ptrdiff_t from_stride, T* to_row, std::ptrdiff_t to_stride, std::ptrdiff_t count) {
        for (std::ptrdiff_t i = 0; i < count; ++i) to_row[i * to_stride] += from_row[i * from_stride];
      });
}

}  // namespace tapeless::loops::inline TAPELESS_TARGET
