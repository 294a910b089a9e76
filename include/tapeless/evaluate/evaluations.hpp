#ifndef TAPELESS_EVALUATE_EVALUATIONS_HPP
#define TAPELESS_EVALUATE_EVALUATIONS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/run_loop.hpp>
#include <tapeless/evaluate/scalar.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

/// Several evaluations of one program, whose loops take their steps in turn. A step waits for the step before it: while
/// one loop waits, the processor goes on with the others.
namespace tapeless::scalar::inline TAPELESS_TARGET {

namespace detail {

/// A loop of a program while it runs.
template <class P, class T, std::size_t I, class Histories>
struct running_loop {
  using in_program = loop_in_program<P, T, I>;
  using loop = typename in_program::loop;
  scan_operands<T, typename in_program::Op> operands;
  std::size_t steps;
  Histories histories;
  scan_result<typename in_program::Op, T> result;
  bool ended = false;

  template <class Values>
  explicit running_loop(const Values& values)
      : operands(in_program::operands(values)),
        steps(loop::count_steps(operands)),
        histories(in_program::histories(values)),
        result(loop::begin(operands, steps)) {}

  template <std::ptrdiff_t Ahead>
  TAPELESS_ALWAYS_INLINE void advance(std::size_t i) {
    if constexpr (in_program::shape.ends)
      if (ended) return;
    // A local, which no write to the memory can change.
    auto carry = operands.carry;
    ended = loop::template advance<Ahead>(operands, carry, histories, result, result.memory.memory(), steps, i);
    operands.carry = carry;
  }
};

}  // namespace detail

/// How many evaluations are worth running side by side: what their loops carry and capture is to fit a third of a first
/// cache of 48 KB.
template <class P, class T>
inline constexpr std::size_t evaluations_side_by_side = [] {
  constexpr std::size_t most = 4;
  std::size_t numbers = 0;
  for (const auto& each : detail::replays<P>::facts)
    if (each.is_loop) numbers += static_cast<std::size_t>(each.shape.carries + each.shape.constants);
  return numbers * sizeof(T) * most <= 16384 ? most : 1;
}();

/// At most `Most` evaluations of the finished program `P::value` in numbers of type `T`.
template <class P, class T, std::size_t Most>
class evaluations {
  using each = evaluation<P, T>;
  std::array<std::optional<each>, Most> all_;
  std::size_t count_ = 0;

  template <std::size_t I>
  void run_loops() {
    using histories =
        decltype(detail::loop_in_program<P, T, I>::histories(std::declval<const typename each::values&>()));
    using loop = detail::running_loop<P, T, I, histories>;
    std::array<std::optional<loop>, Most> loops;
    for (std::size_t k = 0; k < count_; ++k) loops[k].emplace(typename each::values{all_[k]->frame_});
    for (std::size_t begin = 0, end = 0; begin < count_; begin = end) {
      const std::size_t steps = loops[begin]->steps;
      while (end < count_ && loops[end]->steps == steps) ++end;
      for (std::size_t i = 0; i < steps; ++i)
        for (std::size_t k = begin; k < end; ++k) loops[k]->template advance<Most>(i);
    }
    for (std::size_t k = 0; k < count_; ++k) {
      loops[k]->result.carry = loops[k]->operands.carry;
      all_[k]->template place<I>() = std::move(loops[k]->result);
    }
  }
  template <std::size_t Begin, std::size_t End>
  void run() {
    constexpr std::size_t loop = detail::first_loop<P, Begin, End>;
    for (std::size_t k = 0; k < count_; ++k) all_[k]->template run_straight<Begin, loop>();
    if constexpr (loop < End) {
      run_loops<loop>();
      run<loop + 1, End>();
    }
  }

 public:
  template <class Inputs>
  void add(const Inputs& inputs) {
    all_[count_++].emplace(inputs, in_parts{});
  }
  /// Computes everything.
  void run() { run<each::leaves, each::nodes>(); }
  const each& operator[](std::size_t k) const { return *all_[k]; }
};

}  // namespace tapeless::scalar::inline TAPELESS_TARGET

#endif
