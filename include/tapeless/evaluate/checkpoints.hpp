#ifndef TAPELESS_EVALUATE_CHECKPOINTS_HPP
#define TAPELESS_EVALUATE_CHECKPOINTS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <array>
#include <cstddef>
#include <cstdint>

namespace tapeless::scalar {

/// Where to keep the next state: of `count` states in a row, of which the first is there, that are visited from the
/// last to the first with memory for `free` more. The binomial schedule, which computes the fewest states again (A.
/// Griewank and A. Walther, "Algorithm 799: revolve", ACM Transactions on Mathematical Software 26, 2000): with s
/// states kept and r runs over each at most, (s + r)! / (s! r!) states can be visited.
constexpr std::size_t next_checkpoint(std::size_t count, int free) {
  // At most `count`, and more than that where it is larger.
  const auto reach = [count](int states, int runs) -> std::size_t {
    if (runs < 0) return 0;
    std::uint64_t result = 1;
    for (int i = 1; i <= (states < runs ? states : runs); ++i) {
      result = result * static_cast<std::uint64_t>((states < runs ? runs : states) + i) / static_cast<std::uint64_t>(i);
      if (result > 2 * static_cast<std::uint64_t>(count)) return 2 * count;
    }
    return static_cast<std::size_t>(result);
  };
  const int states = free + 1;
  int runs = 1;
  while (reach(states, runs) < count) ++runs;
  const std::size_t behind = reach(states - 1, runs), before = reach(states, runs - 2);
  const std::size_t next = count > behind && count - behind > before ? count - behind : before;
  return next < 1 ? 1 : next;
}

/// Some of the states that a loop goes through, kept so that all can be visited from the last to the first.
template <class State, int Count>
class checkpoint_stack {
  static constexpr std::size_t none = ~std::size_t{0};
  std::array<State, static_cast<std::size_t>(Count)> states_{};
  std::array<std::size_t, static_cast<std::size_t>(Count)> steps_{};
  // That before the last step, with which the way back begins.
  State last_{};
  bool has_last_ = false;
  int held_ = 0;
  std::size_t end_ = 0, next_ = none;

  constexpr void plan(std::size_t at) {
    next_ = end_ - at > 1 && held_ < Count ? at + next_checkpoint(end_ - at, Count - held_) : none;
  }

 public:
  /// Before the loop, of `count` steps.
  constexpr void begin(std::size_t count) { end_ = count, plan(0); }
  /// Before step `step`.
  constexpr void visit(std::size_t step, const State& state) {
    if (step + 1 == end_) last_ = state, has_last_ = true;
    if (step != next_) return;
    states_[static_cast<std::size_t>(held_)] = state, steps_[static_cast<std::size_t>(held_)] = step, ++held_;
    plan(step);
  }
  /// The state before step `step`, which is one less each time, from the last on; `first` is that before step 0, and
  /// `advance(state, i)` makes step i.
  template <class Advance>
  constexpr State state_before(std::size_t step, const State& first, const Advance& advance) {
    if (has_last_ && step + 1 == end_) {
      has_last_ = false;
      return last_;
    }
    while (held_ > 0 && steps_[static_cast<std::size_t>(held_ - 1)] > step) --held_;
    const auto top = static_cast<std::size_t>(held_ - 1);
    State state = held_ > 0 ? states_[top] : first;
    std::size_t at = held_ > 0 ? steps_[top] : 0;
    end_ = step + 1, plan(at);
    for (; at < step; ++at) visit(at, state), advance(state, at);
    has_last_ = false;
    return state;
  }
};

}  // namespace tapeless::scalar

#endif
