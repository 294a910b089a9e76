#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/buffers.hpp>
#include <tapeless/evaluate/kernels/pieces.hpp>
#include <tapeless/operation/tensor/axis_reduction.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// What phase number `Phase` of the plan `S` reduces over sharded axes, of all its reductions one buffer: first what is
/// added up as it is, then, a place for each piece of the whole, what is not. Those are reductions other than sums, of
/// which each process is one piece, and where sums are `Ordered` all of them. A process fills its own places and leaves
/// -0.0 in the others, to which x may be added exactly; so an all-reduce by addition serves for both.
template <class S, class T, int Phase, bool Ordered>
class phase_sums {
  static constexpr std::size_t count = S::buffers.size();
  template <std::size_t B>
  using operation_of = program::operation_of<S::program[S::buffers[B].node].operation>;
  template <std::size_t B>
  static constexpr bool is_added = !Ordered && std::is_same_v<operation_of<B>, operation::Sum>;
  using tables_type = tables<S, T>;

  /// The numbers of one buffer, and where they begin among all.
  template <class Operation>
  struct part {
    T* data;
    std::ptrdiff_t size, begin;

    static T combined(T a, T b) { return static_cast<T>(Operation::combine(a, b)); }
    static T neutral() { return static_cast<T>(Operation::template neutral<T>()); }
  };

 public:
  /// visit(part) of each buffer that the phase adds up, or else combines, or only of those that `Group` reduced; how
  /// many numbers all are.
  template <bool Added, int Group = -1, class Visit>
  static std::ptrdiff_t for_each(const tables_type& t, const Visit& visit) {
    std::ptrdiff_t begin = 0;
    tapeless::detail::for_each_index<count>([&]<std::size_t B>(std::integral_constant<std::size_t, B>) {
      constexpr const auto& buffer = S::buffers[B];
      if constexpr (S::reduces_shards(buffer) && S::phase_of(buffer) == Phase && is_added<B> == Added) {
        const part<operation_of<B>> p{t.references[S::buffer_reference(B)].data,
                                      count_elements(t.extent, buffer.axes, -1, 0), begin};
        if constexpr (Group < 0 || S::group_of(buffer) == static_cast<std::size_t>(Group)) visit(p);
        begin += p.size;
      }
    });
    return begin;
  }
  template <bool Added>
  static std::ptrdiff_t numbers(const tables_type& t) {
    return for_each<Added>(t, [](const auto&) {});
  }
  static std::size_t size(const tables_type& t, const piece_list& pieces) {
    return static_cast<std::size_t>(numbers<true>(t) + numbers<false>(t) * static_cast<std::ptrdiff_t>(pieces.size()));
  }

  /// Copies what was combined over this process' rows to a place, or only what `Group` reduced; and from there to
  /// another.
  template <int Group = -1>
  static void copy_combined(const tables_type& t, T* to) {
    for_each<false, Group>(t, [&](const auto& p) { std::copy_n(p.data, p.size, to + p.begin); });
  }
  template <int Group>
  static void copy_group(const tables_type& t, const T* from, T* to) {
    for_each<false, Group>(t, [&](const auto& p) { std::copy_n(from + p.begin, p.size, to + p.begin); });
  }
  /// Takes the numbers at `more` into those at `to`, in each of the operations.
  template <int Group = -1>
  static void combine(const tables_type& t, T* to, const T* more) {
    for_each<false, Group>(t, [&](const auto& p) {
      for (std::ptrdiff_t i = p.begin; i < p.begin + p.size; ++i) to[i] = p.combined(to[i], more[i]);
    });
  }

  /// Writes this process' numbers to the buffer, of which places of others and, if sums are ordered, its own are set.
  static void pack(const tables_type& t, T* buffer, int rank) {
    const std::ptrdiff_t added =
        for_each<true>(t, [&](const auto& p) { std::copy_n(p.data, p.size, buffer + p.begin); });
    if constexpr (!Ordered) copy_combined(t, buffer + added + rank * numbers<false>(t));
  }
  /// Reads the sums over all processes.
  static void unpack(const tables_type& t, T* buffer, const piece_list& pieces) {
    const std::ptrdiff_t added =
        for_each<true>(t, [&](const auto& p) { std::copy_n(buffer + p.begin, p.size, p.data); });
    const std::ptrdiff_t width = numbers<false>(t);
    if (width == 0) return;
    if (pieces.empty()) {  // ordered sums over no rows
      for_each<false>(t, [&](const auto& p) { std::fill_n(p.data, p.size, p.neutral()); });
      return;
    }
    T* const places = buffer + added;
    piece_list stack;
    const auto merge = [&](std::size_t into, std::size_t from) {
      combine(t, places + static_cast<std::ptrdiff_t>(into) * width,
              places + static_cast<std::ptrdiff_t>(from) * width);
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (stack.size() != i)
        std::copy_n(places + static_cast<std::ptrdiff_t>(i) * width, width,
                    places + static_cast<std::ptrdiff_t>(stack.size()) * width);
      push(stack, pieces[i], merge);
    }
    fold(stack, merge);
    for_each<false>(t, [&](const auto& p) { std::copy_n(places + p.begin, p.size, p.data); });
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
