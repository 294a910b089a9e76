#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/program/graph/tuning.hpp>
#include <tapeless/program/schedule/schedule.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// Whether the plan `S` has few kernels with loops and small tables: its code is part of the caller's.
template <class S>
inline constexpr bool has_few_nests = [] {
  int nests = 0;
  for (const program::kernel& k : S::kernels) nests += k.axes != 0;
  return nests <= tuning::nests_inline && S::references * S::axes <= tuning::strides_inline;
}();

/// The kernel whose function computes kernel number `K`: the first that is equal to it. What is part of the caller's
/// code has none.
template <class S, std::size_t K>
inline constexpr std::size_t form_of = has_few_nests<S> ? K : static_cast<std::size_t>(S::kernels[K].form);
/// Whether it computes others too.
template <class S, std::size_t K>
inline constexpr bool has_equals = !has_few_nests<S> && [] {
  int equal = 0;
  for (const program::kernel& k : S::kernels) equal += k.form == static_cast<int>(K);
  return equal > 1;
}();

/// Memory of a tensor: where it begins and how far apart the elements are along each axis of the program.
// Plain arrays, here and in `tables`: tens of thousands of calls of std::array's operator[] per program, inlined into
// the loops, were half of the compile time.
template <class T, std::size_t Axes>
struct reference {
  T* data = nullptr;
  std::ptrdiff_t stride[Axes]{};
};

struct bound_number;
struct indices_at_call;

/// What the kernels of the plan `S` run on. The references are those of the program's accesses, of the buffers and of
/// the outputs, one after the other.
template <class S, class T>
struct tables {
  reference<T, S::axes> references[S::references]{};
  std::ptrdiff_t extent[S::axes]{};
  /// Of sharded axes, how long they are in all processes together.
  std::ptrdiff_t whole[S::sharded != 0 ? S::axes : 1]{};
  T numbers[std::max<std::size_t>(S::numbers, 1)]{};
  /// For moves of elements: the formula's numbers as bounds, and the variables as indices.
  const bound_number* bounds = nullptr;
  const indices_at_call* indices = nullptr;
  /// The part of each group's outermost axis that its kernels run over now.
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;

  tables() = default;
  tables& operator=(const tables&) = delete;
  tables(const tables&) = default;
  /// Made number by number: the compiler keeps the original in registers if nothing refers to it as a whole.
  TAPELESS_ALWAYS_INLINE tables(const tables& from)
    requires(has_few_nests<S>)
      : bounds(from.bounds), indices(from.indices), begin(from.begin), end(from.end) {
    copy(from, std::make_index_sequence<S::references>{}, std::make_index_sequence<S::references * S::axes>{},
         std::make_index_sequence<S::axes>{}, std::make_index_sequence<S::numbers>{});
  }

  /// How long an axis is as a number: of a sharded one in all processes together.
  TAPELESS_ALWAYS_INLINE std::ptrdiff_t extent_as_number(std::size_t axis) const {
    return S::sharded & program::axis(static_cast<int>(axis)) ? whole[axis] : extent[axis];
  }

 private:
  template <std::size_t... R, std::size_t... At, std::size_t... A, std::size_t... N>
  TAPELESS_ALWAYS_INLINE void copy(const tables& from, std::index_sequence<R...>, std::index_sequence<At...>,
                                   std::index_sequence<A...>, std::index_sequence<N...>) {
    ((references[R].data = from.references[R].data), ...);
    ((references[At / S::axes].stride[At % S::axes] = from.references[At / S::axes].stride[At % S::axes]), ...);
    ((extent[A] = from.extent[A]), ...);
    if constexpr (S::sharded != 0) ((whole[A] = from.whole[A]), ...);
    ((numbers[N] = from.numbers[N]), ...);
  }
};

/// How functions of their own get the tables: as a copy where the original is in registers.
template <class S, class T>
using tables_argument = std::conditional_t<has_few_nests<S>, tables<S, T>, const tables<S, T>&>;

}  // namespace tapeless::loops::inline TAPELESS_TARGET
