#pragma once

#include <tapeless/core/message.hpp>
#include <tapeless/core/sequence.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/loops/checkpoints.hpp>
#include <tapeless/evaluate/loops/step_inputs.hpp>
#include <tapeless/evaluate/loops/steps_in_lanes.hpp>
#include <tapeless/evaluate/memory/index.hpp>
#include <tapeless/evaluate/registers/packed.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/program/pass/loop_body.hpp>

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

/// The carries from which a loop is computed again.
template <class Code, class T>
struct loop_state {
  static constexpr auto& carries = Code::again;
  register_file<T, carries.size()> numbers;

  static constexpr loop_state of(const auto& carry) {
    loop_state state;
    in_blocks<carries.size()>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      ((value_in<K, T>(state.numbers) = value_in<static_cast<std::size_t>(carries[K]), T>(carry)), ...);
    });
    return state;
  }
  constexpr void copy_to(auto& carry) const {
    in_blocks<carries.size()>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      ((value_in<static_cast<std::size_t>(carries[K]), T>(carry) = value_in<K, T>(numbers)), ...);
    });
  }
};
/// Where a loop keeps them.
template <class Code, class T>
struct kept_states {
  checkpoint_stack<loop_state<Code, T>, Code::operation::shape.checkpoints> stack;
};
template <class Code, class T>
  requires(Code::again.size() == 0)
struct kept_states<Code, T> {};

/// Memory for what a loop keeps, in the frame.
template <class T, std::size_t Count>
struct frame_memory {
  T numbers[Count];
  constexpr T* memory() { return numbers; }
  constexpr const T* memory() const { return numbers; }
};
/// For one that keeps nothing.
struct no_memory {
  static constexpr std::nullptr_t memory() { return nullptr; }
};

/// What a loop leaves: the last carries, how many steps it made, and of each a row of its memory.
template <class Code, class T, std::size_t InFrame>
struct scan_result {
  using Op = typename Code::operation;
  static constexpr int carries = Op::shape.carries;
  register_file<T, carries> carry;
  std::size_t steps;
  std::conditional_t<Code::columns == 0, no_memory,
                     std::conditional_t<(InFrame > 0), frame_memory<T, (InFrame > 0 ? InFrame : 1)>, sequence<T>>>
      memory;
  [[no_unique_address]] kept_states<Code, T> kept;

  constexpr auto data() const { return element_in_memory<T>::numbers(memory.memory()); }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr auto output() const {
    if constexpr (I < carries)
      return value_in<static_cast<std::size_t>(I), T>(carry);
    else if constexpr (Code::live[I])
      return sequence_view<T>::of_elements(memory.memory() + Code::column(I), Code::columns, steps);
    else
      return sequence_view<T>{.size = steps};
  }
};

/// `Code` is that of the loop in its program, a `loop_code`.
template <class Code, class T>
struct scan_loop {
  static constexpr bool keeps = Code::again.size() > 0;
  using code = Code;
  using number = T;
  using Op = typename Code::operation;
  using body = typename Code::body;
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr int columns = Code::columns;
  static constexpr std::size_t place_in_body(int output) {
    std::size_t result = static_cast<std::size_t>(shape.carries);
    for (int i = shape.carries; i < output; ++i) result += Code::live[i];
    return result;
  }

  static constexpr std::size_t count_steps(const scan_operands<T, Op>& operands) {
    if constexpr (shape.once) return computes_in<T>::all(operands.steps == T(0)) ? 0 : 1;
    const auto steps = element_in_memory<T>::in_common(operands.steps);
    using counted = std::remove_const_t<decltype(steps)>;
    // How many elements a sequence has needs no counting.
    constexpr double limit = loops::counts_to<std::conditional_t<(shape.sequences > 0), double, counted>>;
    // A larger integer may have been rounded to the limit. What ends before needs no number of its own.
    if (shape.ends && steps >= counted(limit)) return static_cast<std::size_t>(limit);
    const bool in_range = steps >= counted(0) && steps < counted(limit);
    const auto n = in_range ? static_cast<std::size_t>(steps) : 0;
    if (!in_range || static_cast<counted>(n) != steps) loops::refuse_steps(static_cast<double>(steps), limit);
    in_blocks<shape.sequences>([&]<std::size_t... S>(std::index_sequence<S...>) TAPELESS_INLINE_LAMBDA {
      std::size_t other = n;
      if (((other = operands.template sequence<shape.tables + static_cast<int>(S)>().size, other != n) || ...))
        tapeless::detail::raise<std::invalid_argument>(
            {"the sequences of a scan must have the same length, and theirs are ", n, " and ", other});
    });
    return n;
  }

  template <std::ptrdiff_t Ahead = 0, class Histories>
  TAPELESS_ALWAYS_INLINE static constexpr void step(const scan_operands<T, Op>& operands,
                                                    register_file<T, shape.carries>& carry, std::size_t t,
                                                    const Histories& histories, [[maybe_unused]] T* row) {
    if constexpr (columns > 0)
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
    if constexpr (columns > 0)
      in_blocks<shape.stacked>([&]<std::size_t... Y>(std::index_sequence<Y...>) TAPELESS_INLINE_LAMBDA {
        (keep_output<shape.carries + static_cast<int>(Y)>(row, done), ...);
      });
    in_blocks<Code::kept.size()>([&]<std::size_t... K>(std::index_sequence<K...>) TAPELESS_INLINE_LAMBDA {
      constexpr std::size_t first = place_in_body(shape.carries + shape.stacked);
      ((row[static_cast<std::size_t>(Code::first_kept) + K] = as_number<T>(done.template output<first + K>())), ...);
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
    done.template store<kept, kept + static_cast<std::size_t>(Code::kept.size())>(row + Code::first_kept);
    in_blocks<shape.carries>([&]<std::size_t... K>(std::index_sequence<K...>)
                                 TAPELESS_INLINE_LAMBDA { ((value_in<K, T>(carry) = next[K]), ...); });
  }
  template <int Output>
  TAPELESS_ALWAYS_INLINE static constexpr void keep(T* row, const T& number) {
    if constexpr (Code::live[Output]) row[Code::column(Output)] = number;
  }
  template <int Output, class Done>
  TAPELESS_ALWAYS_INLINE static constexpr void keep_output(T* row, const Done& done) {
    if constexpr (Code::live[Output])
      row[Code::column(Output)] = as_number<T>(done.template output<place_in_body(Output)>());
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
    if constexpr (columns > 0 || keeps)
      if (!std::is_constant_evaluated()) tapeless_a_scan_that_keeps_its_steps_is_for_the_host();
#endif
    if constexpr (columns > 0 && std::is_same_v<decltype(result.memory), sequence<T>>)
      result.memory = sequence<T>::owning(n * columns, 1, n * columns);
    if constexpr (keeps) result.kept.stack.begin(n, loop_state<Code, T>::of(operands.carry));
    result.steps = n;
  }
  /// The `i`-th of `n` steps; whether the loop ends with it.
  template <std::ptrdiff_t Ahead = 0, class Histories, class Result>
  TAPELESS_ALWAYS_INLINE static constexpr bool advance(const scan_operands<T, Op>& operands,
                                                       register_file<T, shape.carries>& carry, Histories& histories,
                                                       Result& result, T* memory, std::size_t n, std::size_t i) {
    const std::size_t t = shape.reversed ? n - 1 - i : i;
    if constexpr (keeps) result.kept.stack.visit(i, loop_state<Code, T>::of(carry));
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
        result.steps = i + 1;
        return true;
      }
    } else
      step<Ahead>(operands, carry, t, histories, row);
    return false;
  }

  template <class Histories, class Result>
  static constexpr void run_apart(const scan_operands<T, Op>& operands, Histories& histories, Result& result) {
    run(operands, histories, result);
  }
  template <class Histories, class Result>
  TAPELESS_ALWAYS_INLINE static constexpr void run(const scan_operands<T, Op>& operands, Histories& histories,
                                                   Result& result) {
    const std::size_t n = count_steps(operands);
    begin(result, operands, n);
    T* const memory = result.memory.memory();
    // Locals, which no write to the memory can change.
    const auto local = operands;
    auto carry = operands.carry;
    std::size_t i = 0;
    if constexpr (steps_at_a_time<Code, T> > 1 && std::is_same_v<Histories, no_histories>)
      if (!std::is_constant_evaluated()) i = steps_in_lanes<scan_loop>::run(local, carry, memory, n);
    for (; i < n; ++i)
      if (advance(local, carry, histories, result, memory, n, i)) break;
    result.carry = carry;
  }
};

}  // namespace tapeless::scalar::inline TAPELESS_TARGET::detail
