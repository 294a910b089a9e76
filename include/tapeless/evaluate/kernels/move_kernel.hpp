#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/tables.hpp>
#include <tapeless/evaluate/memory/index.hpp>
#include <tapeless/evaluate/memory/move.hpp>
#include <tapeless/evaluate/memory/tensor_loop.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// The kernels of the plan `S` that move elements or compute with matrices.
template <class S, class T>
class move_kernel {
  using tables_type = tables<S, T>;

  /// Where reference number `r` lies in memory, its axes in the order of `access`.
  static strided<T> place(const tables_type& t, int r, const program::tensor_access& access) {
    // Along axes that it lacks, strides are 0.
    return strided_by(access, t.references[r].data, t.extent, t.references[r].stride);
  }

  /// What an operand of a move is: memory, or a number.
  struct source {
    program::node_kind kind;
    int leaf, reference;
    T constant;
  };
  template <int Operand>
  static constexpr source source_of = [] {
    const program::node& n = S::program[Operand];
    return source{n.kind, n.leaf, n.kind == program::node_kind::extent ? -1 : S::node_reference(Operand),
                  n.kind == program::node_kind::constant ? S::program.constant(Operand).template as<T>() : T{}};
  }();
  /// Where that lies, its axes in the order of `access`; a number, the same for every element, in `number`.
  static strided<T> place(const tables_type& t, const source& of, const program::tensor_access& access, T& number) {
    if (of.reference >= 0) return place(t, of.reference, access);
    number = of.kind == program::node_kind::extent
                 ? static_cast<T>(t.extent_as_number(static_cast<std::size_t>(of.leaf)))
             : of.kind == program::node_kind::constant ? of.constant
                                                       : t.numbers[of.leaf];
    return strided_by(access, &number, t.extent, nullptr);
  }

 public:
  /// Computes node number `I`.
  template <int I>
  [[gnu::noinline]] static void run(const tables_type& t) {
    constexpr program::node n = S::program[I];
    constexpr program::tensor_move first = S::program.move(I);
    const strided<T> to = place(t, S::node_reference(I), first.to);
    if constexpr (n.operation->of_loops) {
      run_loop<I>(t, to);
    } else if constexpr (n.operation->of_matrices) {
      compute_matrices<I>(t, to, std::make_integer_sequence<int, n.count>{});
    } else if constexpr (first.has_indices()) {
      move_chosen<I>(t, to);
    } else {
      [&]<int... J>(std::integer_sequence<int, J...> operands) {
        if constexpr (first.leaves_gaps(n.count)) fill_around<I>(t, to, operands);
        (move_operand<I, J>(t, to), ...);
      }(std::make_integer_sequence<int, n.count>{});
    }
  }

 private:
  /// Computes a loop, or reads one of its outputs, which lies where it is read, or in memory of the thread.
  template <int I>
  static void run_loop(const tables_type& t, const strided<T>& to) {
    constexpr program::node n = S::program[I];
    // Memory of an output of the call may be that of another node before.
    constexpr auto has_own = [](int reader) { return S::output_of(reader) < 0; };
    if constexpr (program::is_loop(n)) {
      std::array<T, static_cast<std::size_t>(n.count)> numbers{};
      tensor_loop_node<typename S::source, I, T>::run(
          &t,
          [&]<int J>(std::integral_constant<int, J>, const program::tensor_access& access) {
            return place(t, source_of<S::program.operand(I, J)>, access, numbers[J]);
          },
          [&]<int Reader>(std::integral_constant<int, Reader>) {
            constexpr program::tensor_move read = S::program.move(Reader);
            return has_own(Reader) ? place(t, S::node_reference(Reader), read.to) : strided<T>{};
          },
          t.extent);
    } else {
      constexpr int loop = S::program.operand(I, 0);
      tensor_loop_node<typename S::source, loop, T>::template copy_output<n.operation->output_read>(
          to, has_own(I) ? to : strided<T>{}, t.extent);
    }
  }
  template <int I, int... J>
  static void compute_matrices(const tables_type& t, const strided<T>& to, std::integer_sequence<int, J...>) {
    T numbers[sizeof...(J)]{};
    program::operation_of<S::program[I].operation>::compute(
        to, place(t, source_of<S::program.operand(I, J)>, S::program.move(I, J).from, numbers[J])...);
  }
  template <int I, int J>
  static void move_operand(const tables_type& t, const strided<T>& to) {
    constexpr program::tensor_move move = S::program.move(I, J);
    constexpr int moved = S::program.operand(I, J);
    // What lies there already is not moved.
    if constexpr (S::lies_in_operand(I)) return;
    if constexpr (S::lies_within(moved, I))
      if constexpr (program::range_move(S::source::view(), moved, I).operand == J) return;
    T number{};
    const strided<T> from = place(t, source_of<moved>, move.from, number);
    using kind = program::move_kind;
    constexpr std::size_t position = static_cast<std::size_t>(move.position);
    if constexpr (move.kind == kind::reshape) {
      reshape(to, from);
    } else if constexpr (move.kind == kind::roll || move.kind == kind::unroll) {
      roll(to, from, position, value_of(t, move.begin), move.kind == kind::unroll);
    } else if constexpr (move.kind == kind::accumulate || move.kind == kind::accumulate_back) {
      accumulate(to, from, position, move.kind == kind::accumulate_back);
    } else {
      constexpr bool slices = move.kind == kind::slice;
      const std::ptrdiff_t step = value_of(t, move.step);
      const std::ptrdiff_t begin = begin_of(t, move, (slices ? from : to).extents[position]);
      if constexpr (slices)
        copy(to, range(from, to, position, begin, step));
      else
        copy(range(to, from, position, begin, step), from);
    }
  }
  /// From where to where operand `J` of a pad is moved.
  template <int I, int J>
  static std::pair<std::ptrdiff_t, std::ptrdiff_t> range_of(const tables_type& t, const strided<T>& to) {
    constexpr program::tensor_move move = S::program.move(I, J);
    constexpr auto position = static_cast<std::size_t>(move.position);
    const std::ptrdiff_t begin = begin_of(t, move, to.extents[position]);
    return {begin, begin + extent_of(t.extent, move.from.axes[position])};
  }
  /// Zeros around the ranges that the operands of a pad are moved to.
  template <int I, int... J>
  static void fill_around(const tables_type& t, const strided<T>& to, std::integer_sequence<int, J...>) {
    constexpr program::tensor_move first = S::program.move(I);
    if constexpr (first.step != program::range_step{}) {
      fill(to, T(0));
    } else {
      constexpr auto position = static_cast<std::size_t>(first.position);
      std::array ranges{range_of<I, J>(t, to)..., std::pair(to.extents[position], to.extents[position])};
      std::sort(ranges.begin(), ranges.end());
      strided<T> gap = to;
      std::ptrdiff_t end = 0;
      for (const auto& [next, last] : ranges) {
        gap.extents[position] = next - end;
        if (next > end) fill(range(to, gap, position, end), T(0));
        end = last;
      }
    }
  }
  /// What elements are put into: the third operand, which may lie there already, or zeros.
  template <int I>
  static void begin_with(const tables_type& t, const strided<T>& to) {
    constexpr program::node n = S::program[I];
    if constexpr (n.count < 3) {
      fill(to, T(0));
    } else if constexpr (constexpr int base = S::program.operand(I, 2);
                         S::node_reference(base) != S::node_reference(I)) {
      T number{};
      copy(to, place(t, source_of<base>, S::program.move(I).to, number));
    }
  }
  template <int I>
  static void move_chosen(const tables_type& t, const strided<T>& to) {
    constexpr program::tensor_move move = S::program.move(I);
    constexpr int moved = S::program.operand(I, 0);
    constexpr int indices = S::program.operand(I, 1);
    constexpr std::size_t position = static_cast<std::size_t>(move.position);
    constexpr bool takes = move.kind == program::move_kind::take;
    T number{};
    const strided<T> from = place(t, source_of<moved>, move.from, number);
    if constexpr (!takes) begin_with<I>(t, to);
    const auto run = [&](auto index) {
      if constexpr (takes)
        take(to, from, position, index);
      else
        put(to, from, position, index);
    };
    if constexpr (constexpr int v = S::index_variable(indices); v >= 0) {
      const indices_at_call at = t.indices[v];
      run([=](std::ptrdiff_t i) { return at.data[i * at.stride]; });
    } else {
      const strided<T>& chosen = takes ? to : from;
      const std::ptrdiff_t count = chosen.extents[position], extent = (takes ? from : to).extents[position];
      T index{};
      const strided<T> at =
          place(t, source_of<indices>,
                {program::access_kind::variable, 0, 1, {(takes ? move.to : move.from).axes[position]}}, index);
      for (std::ptrdiff_t i = 0; i < count; ++i) check_index(at.data[i * at.strides[0]], extent, move.segments);
      run([=](std::ptrdiff_t i) { return at.data[i * at.strides[0]]; });
    }
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
