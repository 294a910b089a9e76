#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/loops/run_loop.hpp>
#include <tapeless/evaluate/registers/scalar.hpp>

#include <cstddef>
#include <new>
#include <utility>

/// Several evaluations of one program, whose loops take their steps in turn. A step waits for the step before it: while
/// one loop waits, the processor goes on with the others.
namespace tapeless::scalar::inline TAPELESS_TARGET {

namespace detail {

/// At most `Most` elements, in place: no traits of the elements are asked for, which for frames take long to compile.
template <class T, std::size_t Most>
class short_list {
  alignas(T) std::byte memory_[Most * sizeof(T)];
  std::size_t size_ = 0;

 public:
  short_list() = default;
  short_list(const short_list&) = delete;
  short_list& operator=(const short_list&) = delete;
  ~short_list() {
    for (T& each : *this) each.~T();
  }
  template <class... Args>
  void emplace_back(Args&&... args) {
    ::new (static_cast<void*>(memory_ + size_ * sizeof(T))) T(std::forward<Args>(args)...);
    ++size_;
  }
  T* begin() { return std::launder(reinterpret_cast<T*>(memory_)); }
  const T* begin() const { return std::launder(reinterpret_cast<const T*>(memory_)); }
  T* end() { return begin() + size_; }
};

/// A loop of a program while it runs.
template <class P, class T, std::size_t I, class Histories>
struct running_loop {
  using in_program = loop_in_program<P, T, I>;
  using loop = typename in_program::loop;
  scan_operands<T, typename in_program::Op> operands;
  std::size_t steps;
  Histories histories;
  decltype(slot_at<P, T, I>::value)& result;
  bool ended = false;

  template <class Values>
  running_loop(const Values& values, decltype(slot_at<P, T, I>::value)& to)
      : operands(operands_of_loop<P, T, I>(values)),
        steps(loop::count_steps(operands)),
        histories(in_program::histories(values)),
        result(to) {
    loop::begin(result, operands, steps);
  }

  template <std::ptrdiff_t Ahead>
  TAPELESS_ALWAYS_INLINE void advance(std::size_t i) {
    if constexpr (in_program::shape.ends)
      if (ended) return;
    // A local, which no write to the memory can change.
    auto carry = operands.carry;
    ended = loop::template advance<Ahead>(operands, carry, histories, result, result.memory.memory(), steps, i);
    operands.carry = carry;
  }
  void finish() { result.carry = operands.carry; }
};

}  // namespace detail

/// How many evaluations are worth running side by side: several where loops carry numbers, and what these carry and
/// capture is to fit a third of a first cache of 48 KB.
template <class P, class T>
inline constexpr std::size_t evaluations_side_by_side = [] {
  constexpr std::size_t most = 4;
  std::size_t numbers = 0;
  for (const program::node& n : P::value.nodes)
    if (program::is_loop(n))
      numbers += static_cast<std::size_t>(n.operation->shape->carries + n.operation->shape->constants);
  return numbers > 0 && numbers * sizeof(T) * most <= 16384 ? most : 1;
}();

/// At most `Most` evaluations of the finished program `P::value` in numbers of type `T`.
template <class P, class T, std::size_t Most>
class evaluations {
  using one = evaluation<P, T>;
  detail::short_list<one, Most> all_;

  template <std::size_t I>
  void run_loops() {
    using values = typename one::values;
    using histories = decltype(detail::loop_in_program<P, T, I>::histories(std::declval<const values&>()));
    using loop = detail::running_loop<P, T, I, histories>;
    detail::short_list<loop, Most> loops;
    for (one& each : all_) loops.emplace_back(values{each.frame_}, each.template place<I>());
    for (loop *begin = loops.begin(), *end = begin; begin != loops.end(); begin = end) {
      const std::size_t steps = begin->steps;
      while (end != loops.end() && end->steps == steps) ++end;
      for (std::size_t i = 0; i < steps; ++i)
        for (loop* each = begin; each != end; ++each) each->template advance<Most>(i);
    }
    for (loop& each : loops) each.finish();
  }
  template <std::size_t Begin, std::size_t End>
  void run() {
    constexpr std::size_t loop = detail::first_loop<P, Begin, End>;
    for (one& each : all_) each.template run<Begin, loop>();
    if constexpr (loop < End) {
      run_loops<loop>();
      run<loop + 1, End>();
    }
  }

 public:
  /// One more, of these inputs.
  template <class Inputs>
  void add(const Inputs& inputs) {
    all_.emplace_back(inputs, in_parts{});
  }
  /// Computes everything.
  void run() { run<one::leaves, one::nodes>(); }
  const one& operator[](std::size_t k) const { return all_.begin()[k]; }
};

}  // namespace tapeless::scalar::inline TAPELESS_TARGET
