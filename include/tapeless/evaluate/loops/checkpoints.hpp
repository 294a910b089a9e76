#pragma once

#include <array>
#include <cstddef>

namespace tapeless::scalar {

/// Where to keep the next state: of `count` states in a row, of which the first is there, that are visited from the
/// last to the first with memory for `free` more, at most `Most`. The binomial schedule, which computes the fewest
/// states again (A. Griewank and A. Walther, "Algorithm 799: revolve", ACM Transactions on Mathematical Software 26,
/// 2000): with s states kept and r runs over each at most, (s + r)! / (s! r!) states can be visited. Without divisions,
/// which small processors call functions for.
template <int Most>
[[gnu::noinline]] constexpr std::size_t next_of_many(std::size_t count, std::size_t states) {
  // reach[s] for one run more each time, as in Pascal's triangle; what is more than `count` counts as that.
  std::array<std::size_t, static_cast<std::size_t>(Most) + 2> reach{};
  for (std::size_t& each : reach) each = 1;
  std::size_t before = 0, last = 0;
  do {
    before = last, last = reach[states];
    for (std::size_t s = 1; s <= states; ++s)
      reach[s] = count - reach[s - 1] < reach[s] ? count : reach[s - 1] + reach[s];
  } while (reach[states] < count);
  const std::size_t behind = reach[states - 1];
  return count > behind && count - behind > before ? count - behind : before;
}
template <int Most>
constexpr std::size_t next_checkpoint(std::size_t count, int free) {
  const auto states = static_cast<std::size_t>(free) + 1;
  // With two runs the numbers are those of triangles.
  const std::size_t behind = states * (states + 1) / 2;
  if (count <= behind + 1) return 1;
  return count <= behind + states + 1 ? count - behind : next_of_many<Most>(count, states);
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
    next_ = end_ - at > 1 && held_ < Count ? at + next_checkpoint<Count>(end_ - at, Count - held_) : none;
  }
  constexpr void keep(std::size_t step, const State& state) {
    const auto place = static_cast<std::size_t>(held_++);
    states_[place] = state, steps_[place] = step;
    plan(step);
  }

 public:
  /// Before the loop, of `count` steps.
  constexpr void begin(std::size_t count) { end_ = count, plan(0); }
  /// Before step `step`.
  constexpr void visit(std::size_t step, const State& state) {
    if (step + 1 == end_) last_ = state, has_last_ = true;
    if (step == next_) keep(step, state);
  }
  /// The state before step `step`, which is one less each time, from the last on; `first` is that before step 0, and
  /// `advance(state, i)` makes step i.
  template <class Advance>
  constexpr State state_before(std::size_t step, const State& first, const Advance& advance) {
    if (has_last_) {
      has_last_ = false;
      return last_;
    }
    if (held_ > 0 && steps_[static_cast<std::size_t>(held_ - 1)] > step) --held_;
    const auto top = static_cast<std::size_t>(held_ - 1);
    State state = held_ > 0 ? states_[top] : first;
    std::size_t at = held_ > 0 ? steps_[top] : 0;
    end_ = step + 1, plan(at);
    for (;;) {
      const std::size_t stop = next_ < step ? next_ : step;
      for (; at < stop; ++at) advance(state, at);
      if (at == step) return state;
      keep(at, state);
    }
  }
};

}  // namespace tapeless::scalar
