#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/sequence.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/loops/checkpoints.hpp>
#include <tapeless/evaluate/registers/packed.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/program/pass/loop_body.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>

#ifdef __CUDA_ARCH__
/// Defined nowhere: a kernel that calls it is refused by its name.
extern "C" __device__ void tapeless_a_scan_that_keeps_its_steps_is_for_the_host();
#endif

/// Loops of run-time length: straight-line code for the body, compiled once, with the carries in registers.
namespace tapeless::scalar::inline TAPELESS_TARGET::detail {

/// Numbers that stay in registers: a member each.
template <class T, class Indices>
struct registers;
template <class T, std::size_t... I>
struct registers<T, std::index_sequence<I...>> : slot<I, T>... {};
/// More than there are registers.
template <class T, int N>
struct number_array {
  T at[N];
};
inline constexpr int most_in_registers = 32;
template <class T, int N>
using register_file = std::conditional_t<(N > most_in_registers), number_array<T, (N > 0 ? N : 1)>,
                                         registers<T, std::make_index_sequence<static_cast<std::size_t>(N)>>>;
template <std::size_t I, class T>
TAPELESS_ALWAYS_INLINE constexpr T& value_in(slot<I, T>& of) {
  return of.value;
}
template <std::size_t I, class T>
TAPELESS_ALWAYS_INLINE constexpr const T& value_in(const slot<I, T>& of) {
  return of.value;
}

template <std::size_t I, class T, int N>
TAPELESS_ALWAYS_INLINE constexpr T& value_in(number_array<T, N>& of) {
  return of.at[I];
}
template <std::size_t I, class T, int N>
TAPELESS_ALWAYS_INLINE constexpr const T& value_in(const number_array<T, N>& of) {
  return of.at[I];
}

/// An output of a body, where an absolute zero is a type.
template <class T, class Output>
TAPELESS_ALWAYS_INLINE constexpr T as_number(const Output& output) {
  if constexpr (std::is_same_v<Output, T>)
    return output;
  else
    return T(static_cast<typename computes_in<T>::number>(output));
}

/// The operands of a loop: the number of steps, numbers, and sequences.
template <class T, class Op>
struct scan_operands {
  T steps;
  register_file<T, Op::shape.carries> carry;
  register_file<T, Op::shape.constants> constants;
  std::array<sequence<T>, static_cast<std::size_t>(Op::shape.tables + Op::shape.sequences)> sequences;

  /// The same, of sequences that stay where they are.
  constexpr scan_operands view() const {
    scan_operands result{steps, carry, constants, {}};
    for (std::size_t s = 0; s < sequences.size(); ++s) result.sequences[s] = sequences[s].view();
    return result;
  }
};

/// What a loop is run again with: its operands, and some of its carries.
template <class Op, class T>
struct kept_carries {
  scan_operands<T, Op> operands;
  checkpoint_stack<register_file<T, Op::shape.carries>, Op::shape.checkpoints> stack;
};
template <class Op, class T>
  requires(Op::shape.checkpoints == 0)
struct kept_carries<Op, T> {};

/// Memory for what a loop keeps, in the frame.
template <class T, std::size_t Count>
struct frame_memory {
  T numbers[Count];
  static constexpr std::size_t size = Count;
  const T* data = numbers;

  frame_memory() = default;
  frame_memory(const frame_memory&) = delete;
  frame_memory& operator=(const frame_memory&) = delete;
  constexpr T* memory() { return numbers; }
};

/// What a loop leaves: the last carries, and the sequences in memory of its own, step after step.
template <class Op, class T, std::size_t InFrame>
struct scan_result {
  static constexpr int carries = Op::shape.carries;
  register_file<T, carries> carry;
  std::array<sequence<T>, static_cast<std::size_t>(Op::outputs - carries)> sequences{};
  std::conditional_t<(InFrame > 0), frame_memory<T, (InFrame > 0 ? InFrame : 1)>, sequence<T>> memory;
  [[no_unique_address]] kept_carries<Op, T> kept;

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr auto output() const {
    if constexpr (I < carries)
      return value_in<static_cast<std::size_t>(I), T>(carry);
    else
      return sequences[static_cast<std::size_t>(I - carries)].view();
  }
};

/// The values of the body's variables in a step. Elements that are read here for the first time have others next to
/// them, `Ahead` elements on, that a later run of the loop reads in its step of this number.
template <class T, class Op, class Histories, std::ptrdiff_t Ahead>
struct step_inputs {
  const scan_operands<T, Op>& operands;
  const register_file<T, Op::shape.carries>& carry;
  std::size_t step;
  const Histories& histories;

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr auto variable() const {
    constexpr operation::scan_shape s = Op::shape;
    if constexpr (I < s.carries)
      return value_in<static_cast<std::size_t>(I), T>(carry);
    else if constexpr (I < s.carries + s.constants)
      return value_in<static_cast<std::size_t>(I - s.carries), T>(operands.constants);
    else if constexpr (I < s.carries + s.constants + s.tables)
      return operands.sequences[static_cast<std::size_t>(I - s.carries - s.constants)].view();
    else if constexpr (I < s.operands() - 1 && Histories::reads(I - s.first_sequence() + 1))
      return histories.template value<I - s.first_sequence() + 1>();
    else if constexpr (I < s.operands() - 1) {
      const auto& from = operands.sequences[static_cast<std::size_t>(I - s.carries - s.constants)];
      if constexpr (Ahead > 0 && !s.reversed) from.prefetch(step, Ahead);
      return from[step];
    } else if constexpr (I == s.operands() - 1)
      return static_cast<T>(step);
    else
      return histories.template kept<I - s.operands()>();
  }

  /// Where a variable that is a number stands in memory: among many carries, many constants, or in a row of histories.
  template <int I>
  static constexpr memory_place place() {
    constexpr operation::scan_shape s = Op::shape;
    if constexpr (I < s.carries)
      return s.carries > most_in_registers ? memory_place{0, I} : memory_place{};
    else if constexpr (I < s.carries + s.constants)
      return s.constants > most_in_registers ? memory_place{1, I - s.carries} : memory_place{};
    else if constexpr (I >= s.first_sequence() - 1 && I < s.operands() - 1)
      return Histories::template place<I - s.first_sequence() + 1>();
    else if constexpr (I >= s.operands())
      return Histories::template place_of_kept<I - s.operands()>();
    else
      return {};
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE const T* address() const {
    constexpr memory_place at = place<I>();
    if constexpr (at.array == 0)
      return carry.at + at.element;
    else if constexpr (at.array == 1)
      return operands.constants.at + at.element;
    else
      return histories.row() + at.element;
  }
};

/// The histories that a loop reads, where they are in memory.
struct no_histories {
  static constexpr bool reads(int) { return false; }
  template <int>
  static constexpr memory_place place() {
    return {};
  }
  constexpr void go_to(std::size_t) {}
};

/// `Code` is that of the loop in its program, a `loop_code`; whether it keeps checkpoints.
template <class Code, class T, bool Keeps = false>
struct scan_loop {
  using Op = typename Code::operation;
  using body = typename Code::body;
  static constexpr operation::scan_shape shape = Op::shape;
  /// A column of the memory for each sequence that is read, and for each value of the steps that is kept.
  static constexpr int column(int output) {
    int result = 0;
    for (int i = shape.carries; i < output; ++i) result += Code::live[i];
    return result;
  }
  static constexpr int first_kept = column(Op::outputs), columns = first_kept + Code::kept.size();
  static constexpr std::size_t place_in_body(int output) {
    std::size_t result = static_cast<std::size_t>(shape.carries);
    for (int i = shape.carries; i < output; ++i) result += Code::live[i];
    return result;
  }

  static constexpr std::size_t count_steps(const scan_operands<T, Op>& operands) {
    if constexpr (shape.once) return computes_in<T>::all(operands.steps == T(0)) ? 0 : 1;
    const auto steps = element_in_memory<T>::in_common(operands.steps);
    using number = std::remove_const_t<decltype(steps)>;
    const bool in_range = steps >= number(0) && steps <= number(9007199254740992.0);
    const auto n = in_range ? static_cast<std::size_t>(steps) : 0;
    if (!in_range || static_cast<number>(n) != steps)
      tapeless::detail::raise<std::invalid_argument>({"the number of steps of a scan must be a nonnegative integer"});
    for (std::size_t s = static_cast<std::size_t>(shape.tables); s < operands.sequences.size(); ++s)
      if (const std::size_t other = operands.sequences[s].size; other != n)
        tapeless::detail::raise<std::invalid_argument>(
            {"the sequences of a scan must have the same length, and theirs are ", n, " and ", other});
    return n;
  }

  template <std::ptrdiff_t Ahead = 0, class Histories>
  TAPELESS_ALWAYS_INLINE static constexpr void step(const scan_operands<T, Op>& operands,
                                                    register_file<T, shape.carries>& carry, std::size_t t,
                                                    const Histories& histories, [[maybe_unused]] T* row) {
    in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      (keep<shape.history(static_cast<int>(K))>(row, value_in<K, T>(carry)), ...);
    });
    using inputs = step_inputs<T, Op, Histories, Ahead>;
    if constexpr (runs_in_packs<body, T>())
      if (!std::is_constant_evaluated()) return step_in_packs(inputs{operands, carry, t, histories}, carry, row);
    const evaluation<body, T> done(inputs{operands, carry, t, histories});
    in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      ((value_in<K, T>(carry) = as_number<T>(done.template output<K>())), ...);
    });
    in_blocks<shape.stacked>([&]<std::size_t... Y>(std::index_sequence<Y...>) TAPELESS_INLINE_LAMBDA {
      (keep_output<shape.carries + static_cast<int>(Y)>(row, done), ...);
    });
    in_blocks<Code::kept.size()>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      constexpr std::size_t first = place_in_body(shape.carries + shape.stacked);
      ((row[static_cast<std::size_t>(first_kept) + K] = as_number<T>(done.template output<first + K>())), ...);
    });
  }
  template <class Inputs>
  TAPELESS_ALWAYS_INLINE static void step_in_packs(const Inputs& inputs, register_file<T, shape.carries>& carry,
                                                   [[maybe_unused]] T* row) {
    const packed_evaluation<body, T, Inputs> done(inputs);
    T next[static_cast<std::size_t>(shape.carries) + 1];
    done.template store<0, static_cast<std::size_t>(shape.carries)>(next);
    constexpr std::size_t kept = place_in_body(shape.carries + shape.stacked);
    done.template store<static_cast<std::size_t>(shape.carries), kept>(row);
    done.template store<kept, kept + static_cast<std::size_t>(Code::kept.size())>(row + first_kept);
    in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>)
                                 TAPELESS_INLINE_LAMBDA { ((value_in<K, T>(carry) = next[K]), ...); });
  }
  template <int Output>
  TAPELESS_ALWAYS_INLINE static constexpr void keep(T* row, const T& number) {
    if constexpr (Code::live[Output]) row[column(Output)] = number;
  }
  template <int Output, class Done>
  TAPELESS_ALWAYS_INLINE static constexpr void keep_output(T* row, const Done& done) {
    if constexpr (Code::live[Output]) row[column(Output)] = as_number<T>(done.template output<place_in_body(Output)>());
  }

  /// Of lanes that ended before this step the carries stay, and what they stack is zero.
  static void stay_ended(const typename computes_in<T>::condition& ended, const register_file<T, shape.carries>& before,
                         register_file<T, shape.carries>& carry, T* row) {
    in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>) {
      ((value_in<K, T>(carry) = math::select(ended, value_in<K, T>(before), value_in<K, T>(carry))), ...);
    });
    for (int c = 0; c < columns; ++c) row[c] = math::select(ended, T(0), row[c]);
  }

  /// Before the first of `n` steps: memory for all.
  template <class Result>
  static constexpr void begin(Result& result, const scan_operands<T, Op>& operands, std::size_t n) {
#ifdef __CUDA_ARCH__
    // The memory is that of a host's thread, and nvcc would leave out the rest of the kernel.
    if constexpr (columns > 0 || Keeps)
      if (!std::is_constant_evaluated()) tapeless_a_scan_that_keeps_its_steps_is_for_the_host();
#endif
    if constexpr (columns > 0) {
      if constexpr (std::is_same_v<decltype(result.memory), sequence<T>>)
        result.memory = sequence<T>::owning(n * columns, 1, n * columns);
      for (int i = shape.carries; i < Op::outputs; ++i)
        if (Code::live[i])
          result.sequences[static_cast<std::size_t>(i - shape.carries)] =
              sequence<T>::of_elements(result.memory.memory() + column(i), columns, n);
    }
    if constexpr (Keeps) {
      result.kept.operands = operands.view(), result.kept.stack.begin(n, operands.carry);
      for (int k = 0; k < shape.carries; ++k)
        result.sequences[static_cast<std::size_t>(shape.history(k) - shape.carries)].size = n;
    }
  }
  /// The `i`-th of `n` steps; whether the loop ends with it.
  template <std::ptrdiff_t Ahead = 0, class Histories, class Result>
  TAPELESS_ALWAYS_INLINE static constexpr bool advance(const scan_operands<T, Op>& operands,
                                                       register_file<T, shape.carries>& carry, Histories& histories,
                                                       Result& result, T* memory, std::size_t n, std::size_t i) {
    const std::size_t t = shape.reversed ? n - 1 - i : i;
    if constexpr (Keeps) result.kept.stack.visit(i, carry);
    histories.go_to(t);
    T* const row = columns > 0 ? memory + t * columns : memory;
    constexpr bool in_lanes = !std::is_same_v<typename computes_in<T>::condition, bool>;
    if constexpr (shape.once && in_lanes) {
      const auto before = carry;
      step<Ahead>(operands, carry, t, histories, row);
      stay_ended(operands.steps == T(0), before, carry, row);
    } else if constexpr (shape.ends) {
      const auto before = carry;
      step<Ahead>(operands, carry, t, histories, row);
      if constexpr (in_lanes) stay_ended(value_in<0, T>(before) != T(0), before, carry, row);
      if (computes_in<T>::all(value_in<0, T>(carry) != T(0))) {
        for (auto& each : result.sequences) each.size = i + 1;
        return true;
      }
    } else
      step<Ahead>(operands, carry, t, histories, row);
    return false;
  }

  template <class Histories, class Result>
  static constexpr void run(const scan_operands<T, Op>& operands, Histories& histories, Result& result) {
    const std::size_t n = count_steps(operands);
    begin(result, operands, n);
    T* const memory = result.memory.memory();
    // Locals, which no write to the memory can change.
    const auto local = operands.view();
    auto carry = operands.carry;
    for (std::size_t i = 0; i < n; ++i)
      if (advance(local, carry, histories, result, memory, n, i)) break;
    result.carry = carry;
  }
};

}  // namespace tapeless::scalar::inline TAPELESS_TARGET::detail
