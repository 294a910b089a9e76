#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/core/thread_memory.hpp>
#include <tapeless/evaluate/memory/move.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>
#include <tapeless/program/graph/program.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

/// What a loop over tensors knows of its operands, which lie as an engine of tensors has them: their ranks, without the
/// axis of a batch, and those of the outputs that are read, -1 of others. A step of a plain program is plain too.
template <std::size_t Operands, std::size_t Outputs>
struct tensor_loop_layout {
  std::array<int, Operands> operands{};
  std::array<int, Outputs> outputs{};
  bool of_batch = false, plain = false;

  /// The same, where nothing but the carries is asked for.
  constexpr tensor_loop_layout of_carries() const {
    tensor_loop_layout result = *this;
    result.outputs.fill(-1);
    return result;
  }
};

/// `run(operands, outputs)` computes the outputs of the loop `Op`, and gives the number of steps made:
/// gradient/tensor/run_scan.hpp.
template <class Op, class T, auto Layout>
struct tensor_loop;
/// The same for node `I` of the finished program `P`, a loop that leaves checkpoints or computes carries again from
/// those of others: gradient/tensor/tensor_checkpoints.hpp. Something of the `call` has the same address for all its
/// loops.
template <class P, int I, class T>
class loop_with_checkpoints;

/// What a loop leaves for those that read its outputs.
template <class T, std::size_t Outputs>
struct tensor_loop_results {
  std::array<workspace<T>, Outputs> memory;
  std::ptrdiff_t steps = 0;
};

/// Node `I` of the finished program `P`, a loop over tensors.
template <class P, int I, class T>
class tensor_loop_node {
  static constexpr program::node n = P::value.nodes[I];
  using operation = program::operation_of<n.operation>;
  static constexpr std::size_t operands = static_cast<std::size_t>(n.count);
  static constexpr std::size_t outputs = static_cast<std::size_t>(operation::outputs);
  static constexpr program::tensor_move read(int operand) { return P::value.move(I, operand); }
  /// The last node that reads each output, 0 where none does, and how many do; the outputs that are read. None reads
  /// what is computed again.
  struct output_readers {
    std::array<int, outputs> last{}, count{};
    std::array<std::size_t, outputs> read{};
    std::size_t outputs_read = 0;
  };
  static constexpr auto readers = [] {
    output_readers result;
    for (int i = 0; i < static_cast<int>(P::value.nodes.size()); ++i)
      if (program::reads_loop(P::value[i]) && P::value.operand(i, 0) == I && !P::value.move(i).replayed) {
        const auto o = static_cast<std::size_t>(P::value[i].operation->output_read);
        result.last[o] = i;
        if (result.count[o]++ == 0) result.read[result.outputs_read++] = o;
      }
    return result;
  }();
  static constexpr const program::tensor_access& access_of(std::size_t output) {
    return P::value.move(readers.last[output]).to;
  }

 public:
  static constexpr auto layout = [] {
    tensor_loop_layout<operands, outputs> result{};
    const int of_batch = read(0).to.rank;
    for (int j = 0; j < n.count; ++j) result.operands[static_cast<std::size_t>(j)] = read(j).from.rank - of_batch;
    for (std::size_t o = 0; o < outputs; ++o) result.outputs[o] = !readers.count[o] ? -1 : access_of(o).rank - of_batch;
    result.of_batch = of_batch != 0, result.plain = P::value.plain;
    return result;
  }();

 private:
  static constexpr auto& of_thread = tapeless::detail::of_thread<tensor_loop_results<T, outputs>, tensor_loop_node>;
  /// Where output `O` lies: `there`, where the only node is that reads it, if the elements have no gaps in that memory;
  /// otherwise in memory of the thread.
  template <std::size_t O>
  static strided<T> output(const strided<T>& there, const std::ptrdiff_t* extent) {
    strided<T> result = strided_by(access_of(O), there.data, extent, nullptr);
    std::ptrdiff_t size = 1;
    for (std::size_t k = static_cast<std::size_t>(result.rank); k-- > 0; size *= result.extents[k])
      result.strides[k] = size;
    if (readers.count[O] > 1 || !there.data || there.strides != result.strides)
      result.data = of_thread().memory[O].reserve(static_cast<std::size_t>(size));
    return result;
  }

 public:
  /// Computes the loop: `place(j, access)` is where operand j lies, `extent` how long the axes are, and
  /// `there(node)` where a node that reads an output lies, nowhere if it has no memory of its own yet.
  template <class Place, class There>
  static void run(const void* call, const Place& place, const There& there, const std::ptrdiff_t* extent) {
    run(call, place, there, extent, std::make_integer_sequence<int, n.count>{},
        std::make_index_sequence<readers.outputs_read>{});
  }
  /// Copies output `O` to where the node that reads it lies, if it is not there; of what each step has one of, that of
  /// the steps made.
  template <std::size_t O>
  static void copy_output(strided<T> to, const strided<T>& there, const std::ptrdiff_t* extent) {
    if constexpr (readers.count[O] == 0) {
      fill(to, T(0));
    } else {
      strided<T> from = output<O>(there, extent);
      if (from.data == to.data) return;
      if (O >= static_cast<std::size_t>(operation::shape.carries) && !operation::shape.once)
        from.extents[layout.of_batch] = to.extents[layout.of_batch] = of_thread().steps;
      copy(to, from);
    }
  }

 private:
  template <int J>
  static constexpr program::tensor_access operand_access = read(J).from;
  template <class Place, class There, int... J, std::size_t... K>
  static void run([[maybe_unused]] const void* call, const Place& place, [[maybe_unused]] const There& there,
                  [[maybe_unused]] const std::ptrdiff_t* extent, std::integer_sequence<int, J...>,
                  std::index_sequence<K...>) {
    std::array<strided<T>, outputs> to;
    ((to[readers.read[K]] =
          output<readers.read[K]>(there(std::integral_constant<int, readers.last[readers.read[K]]>{}), extent)),
     ...);
    std::array<strided<T>, operands> from{place(std::integral_constant<int, J>{}, operand_access<J>)...};
    if constexpr (operation::shape.checkpoints == 0)
      of_thread().steps = tensor_loop<operation, T, layout>::run(from, to);
    else
      of_thread().steps = loop_with_checkpoints<P, I, T>::run(call, from, to);
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
