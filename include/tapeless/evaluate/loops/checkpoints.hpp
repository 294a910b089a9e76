#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace tapeless::scalar {

/// Where to keep the next state: of `count` states in a row, of which the first is there, that are visited from the
/// last to the first with memory for `free` more, at most `Most`. The binomial schedule, which computes the fewest
/// states again (A. Griewank and A. Walther, "Algorithm 799: revolve", ACM Transactions on Mathematical Software 26,
/// 2000): with s states kept and r runs over each at most, (s + r)! / (s! r!) states can be visited. Without divisions,
/// which small processors call functions for.
template <int Most>
constexpr std::size_t next_of_many(std::size_t count, std::size_t states) {
  // reach[s] for one run more each time, as in Pascal's triangle; what is more than `count` counts as that.
  std::array<std::size_t, static_cast<std::size_t>(Most) + 2> reach;
  for (std::size_t& each : reach) each = 1;
  std::size_t before = 0, last = 0;
  do {
    before = last, last = reach[states];
    std::size_t s = 1;
    do reach[s] = count - reach[s - 1] < reach[s] ? count : reach[s - 1] + reach[s];
    while (s++ != states);
  } while (reach[states] < count);
  const std::size_t others = count - reach[states - 1];
  return others > before ? others : before;
}
template <int Most>
[[gnu::noinline]] constexpr std::size_t next_checkpoint(std::size_t count, std::size_t free) {
  const std::size_t states = free + 1;
  // With two runs the numbers are those of triangles.
  const std::size_t behind = states * (states + 1) / 2;
  if (count <= behind + 1) return 1;
  return count <= behind + states + 1 ? count - behind : next_of_many<Most>(count, states);
}

/// Where to keep the next of the states before step `end`, with `held` of them kept, the last before step `at`.
template <int Most>
constexpr std::size_t next_after(std::size_t at, std::size_t end, std::size_t held) {
  constexpr std::size_t most = Most + 1;
  return end - at > 2 && held < most ? at + next_checkpoint<Most>(end - at, most - held) : end - 1;
}

/// Some of the states that a loop goes through, kept so that all can be visited from the last to the first: `Count`,
/// and the first, and that before the last step, with which the way back begins.
template <class State, int Count>
class checkpoint_stack {
  struct kept_state {
    State state;
    std::size_t step;
  };
  std::array<kept_state, Count + 2> kept_;
  std::size_t held_, end_, next_;

  template <class Advance>
  constexpr void compute(std::size_t step, Advance advance) {
    std::size_t held = held_;
    kept_state now = kept_[held - 1];
    do {
      const std::size_t next = next_after<Count>(now.step, step + 1, held);
      do advance(now.state, now.step++);
      while (now.step != next);
      kept_[held++] = now;
    } while (now.step != step);
    held_ = held;
  }

 public:
  constexpr checkpoint_stack() {
    if (std::is_constant_evaluated()) kept_ = {}, held_ = end_ = next_ = 0;
  }
  /// Before the loop, of `count` steps.
  constexpr void begin(std::size_t count, const State& first) {
    kept_[0] = {first, 0};
    held_ = 1, end_ = count, next_ = next_after<Count>(0, count, 1);
  }
  /// Before step `step`.
  constexpr void visit(std::size_t step, const State& state) {
    if (step != next_) return;
    kept_[held_++] = {state, step};
    next_ = next_after<Count>(step, end_, held_);
  }
  /// The state before step `step`, which is one less each time, from the last on; `advance(state, i)` makes step i. It
  /// stays there until the next call.
  template <class Advance>
  constexpr const State& state_before(std::size_t step, Advance advance) {
    if (kept_[held_ - 1].step != step) compute(step, advance);
    return kept_[--held_].state;
  }
};

}  // namespace tapeless::scalar
