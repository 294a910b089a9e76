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
  using operation_of = program::operation_of<S::nodes[static_cast<std::size_t>(S::buffers[B].node)].operation>;
  template <std::size_t B>
  static constexpr bool is_added = !Ordered && std::is_same_v<operation_of<B>, operation::Sum>;
  using tables_type = tables<S, T>;

  template <std::size_t B>
  static std::ptrdiff_t numbers_in(const tables_type& t) {
    return count_elements(t.extent, S::buffers[B].axes, -1, 0);
  }
  template <std::size_t B>
  static T* data_of(const tables_type& t) {
    return t.references[S::buffer_reference(B)].data;
  }

 public:
  /// visit(buffer, where it begins among all) for what the phase adds up, or else combines, or only for what `Group`
  /// reduced of that; how many numbers all are.
  template <bool Added, int Group = -1, class Visit>
  static std::ptrdiff_t for_each(const tables_type& t, const Visit& visit) {
    std::ptrdiff_t begin = 0;
    tapeless::detail::for_each_index<count>([&]<std::size_t B>(std::integral_constant<std::size_t, B> buffer) {
      if constexpr (S::reduces_shards(S::buffers[B]) && S::phase_of(S::buffers[B]) == Phase && is_added<B> == Added) {
        if constexpr (Group < 0 || S::group_of(S::buffers[B]) == static_cast<std::size_t>(Group)) visit(buffer, begin);
        begin += numbers_in<B>(t);
      }
    });
    return begin;
  }
  template <bool Added>
  static std::ptrdiff_t numbers(const tables_type& t) {
    return for_each<Added>(t, [](auto, std::ptrdiff_t) {});
  }
  static std::size_t size(const tables_type& t, const piece_list& pieces) {
    return static_cast<std::size_t>(numbers<true>(t) + numbers<false>(t) * static_cast<std::ptrdiff_t>(pieces.size()));
  }

  /// Copies what was combined over this process' rows to a place, or only what `Group` reduced; and from there to
  /// another.
  template <int Group = -1>
  static void copy_combined(const tables_type& t, T* to) {
    for_each<false, Group>(t, [&]<std::size_t B>(std::integral_constant<std::size_t, B>, std::ptrdiff_t begin) {
      std::copy_n(data_of<B>(t), numbers_in<B>(t), to + begin);
    });
  }
  template <int Group>
  static void copy_group(const tables_type& t, const T* from, T* to) {
    for_each<false, Group>(t, [&]<std::size_t B>(std::integral_constant<std::size_t, B>, std::ptrdiff_t begin) {
      std::copy_n(from + begin, numbers_in<B>(t), to + begin);
    });
  }
  /// Takes the numbers at `more` into those at `to`, in each of the operations.
  template <int Group = -1>
  static void combine(const tables_type& t, T* to, const T* more) {
    for_each<false, Group>(t, [&]<std::size_t B>(std::integral_constant<std::size_t, B>, std::ptrdiff_t begin) {
      for (std::ptrdiff_t i = begin, end = begin + numbers_in<B>(t); i < end; ++i)
        to[i] = static_cast<T>(operation_of<B>::combine(to[i], more[i]));
    });
  }

  /// Writes this process' numbers to the buffer, of which places of others and, if sums are ordered, its own are set.
  static void pack(const tables_type& t, T* buffer, int rank) {
    const std::ptrdiff_t added =
        for_each<true>(t, [&]<std::size_t B>(std::integral_constant<std::size_t, B>, std::ptrdiff_t begin) {
          std::copy_n(data_of<B>(t), numbers_in<B>(t), buffer + begin);
        });
    if constexpr (!Ordered) copy_combined(t, buffer + added + rank * numbers<false>(t));
  }
  /// Reads the sums over all processes.
  static void unpack(const tables_type& t, T* buffer, const piece_list& pieces) {
    const std::ptrdiff_t added =
        for_each<true>(t, [&]<std::size_t B>(std::integral_constant<std::size_t, B>, std::ptrdiff_t begin) {
          std::copy_n(buffer + begin, numbers_in<B>(t), data_of<B>(t));
        });
    const std::ptrdiff_t width = numbers<false>(t);
    if (width == 0) return;
    if (pieces.empty()) {  // ordered sums over no rows
      for_each<false>(t, [&]<std::size_t B>(std::integral_constant<std::size_t, B>, std::ptrdiff_t) {
        std::fill_n(data_of<B>(t), numbers_in<B>(t), static_cast<T>(operation_of<B>::template neutral<T>()));
      });
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
    for_each<false>(t, [&]<std::size_t B>(std::integral_constant<std::size_t, B>, std::ptrdiff_t begin) {
      std::copy_n(places + begin, numbers_in<B>(t), data_of<B>(t));
    });
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
