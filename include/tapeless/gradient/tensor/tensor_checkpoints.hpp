#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/core/thread_memory.hpp>
#include <tapeless/evaluate/loops/checkpoints.hpp>
#include <tapeless/evaluate/memory/tensor_loop.hpp>
#include <tapeless/evaluate/memory/workspace.hpp>
#include <tapeless/gradient/tensor/bound_tensor.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/program/graph/loops_in.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <list>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

/// Loops over tensors that keep some of what they carry, and the loops that compute the rest again.
namespace tapeless::loops::inline TAPELESS_TARGET {

/// The checkpoints of a loop over tensors: for each element of a batch the carries before some steps.
template <class Op, class T, auto Layout>
class tensor_checkpoints {
  static constexpr operation::scan_shape shape = Op::shape;
  static constexpr std::size_t carries = static_cast<std::size_t>(shape.carries);
  using loop = tensor_loop<Op, T, Layout.of_carries()>;

  /// The carries before a step. A copy refers to the same numbers; what is assigned has them in memory of its own.
  struct state {
    std::array<T*, carries> at{};
    std::array<std::size_t, carries> sizes{};
    workspace<T> own{};

    state() = default;
    state(const state& from) : at(from.at), sizes(from.sizes) {}
    state& operator=(const state& from) {
      sizes = from.sizes;
      T* next = own.reserve(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
      for (std::size_t c = 0; c < carries; next += sizes[c++])
        at[c] = std::copy_n(from.at[c], sizes[c], next) - sizes[c];
      return *this;
    }
  };
  using stack = scalar::checkpoint_stack<state, shape.checkpoints>;

  const void* call_ = nullptr;
  int readers_ = 0;
  std::array<strided<T>, loop::operands> from_;
  std::array<T, loop::operands> numbers_;
  std::vector<stack> of_elements_;
  std::vector<std::ptrdiff_t> steps_;
  stack shared_;
  typename loop::memory_type memory_;

 public:
  bool is_of(const void* call) const { return call_ == call; }
  /// Before the loop runs on the operands `from`; so many loops will read them.
  tensor_checkpoints& begin(const void* call, int readers, const std::array<strided<T>, loop::operands>& from) {
    call_ = call, readers_ = readers, from_ = from;
    // Numbers lie where they were computed for this loop.
    for (std::size_t j = 0; j < from_.size(); ++j)
      if (from_[j].data && from_[j].strides == decltype(from_[j].strides){})
        numbers_[j] = *from_[j].data, from_[j].data = &numbers_[j];
    of_elements_.resize(static_cast<std::size_t>(Layout.of_batch ? from[0].extents[0] : 1));
    steps_.resize(of_elements_.size());
    return *this;
  }
  /// Before each step, with the carries `at(c, made)`.
  void go_to(std::ptrdiff_t element, std::ptrdiff_t, const auto& at, std::ptrdiff_t made, std::ptrdiff_t steps) {
    stack& all = of_elements_[static_cast<std::size_t>(element)];
    state now;
    tapeless::detail::for_each_index<carries>([&](auto c) {
      const auto carry = at(c, made);
      now.at[c] = carry.data, now.sizes[c] = static_cast<std::size_t>(tapeless::detail::strided_of(carry).size());
    });
    if (made == 0) all.begin(static_cast<std::size_t>(steps), now), steps_[static_cast<std::size_t>(element)] = steps;
    all.visit(static_cast<std::size_t>(made), now);
  }

  /// The carries before each step, from the last on. The last loop that reads them uses the checkpoints up.
  class replay {
    tensor_checkpoints& of_;
    const bool last_;
    std::ptrdiff_t element_ = -1;
    stack* stack_ = nullptr;
    const state* now_ = nullptr;
    std::optional<decltype(loop::places(std::declval<typename loop::memory_type&>(), {}, {}, 0, 0))> places_;

   public:
    explicit replay(tensor_checkpoints& of) : of_(of), last_(--of.readers_ == 0) {}
    replay(const replay&) = delete;
    replay& operator=(const replay&) = delete;
    ~replay() {
      if (last_) of_.call_ = nullptr;
    }

    void go_to(std::ptrdiff_t element, std::ptrdiff_t step) {
      const auto number = static_cast<std::size_t>(element);
      const std::ptrdiff_t steps = of_.steps_[number];
      if (element != element_) {
        element_ = element, stack_ = &of_.of_elements_[number];
        if (!last_) of_.shared_ = *stack_, stack_ = &of_.shared_;
        places_.emplace(loop::places(of_.memory_, of_.from_, {}, element, steps));
      }
      const auto place = [&](std::ptrdiff_t i) { return shape.reversed ? steps - 1 - i : i; };
      now_ = &stack_->state_before(static_cast<std::size_t>(place(step)), [&](state& carried, std::size_t i) {
        const auto made = static_cast<std::ptrdiff_t>(i);
        const auto at = [&](auto c, std::ptrdiff_t k) {
          const auto& carry = std::get<c>(*places_);
          return carry.at(k == made ? carried.at[c] : carry.in_turn(k));
        };
        loop::run_step(of_.from_, {}, at, of_.memory_, element, made, place(made));
        tapeless::detail::for_each_index<carries>([&](auto c) { carried.at[c] = at(c, made + 1).data; });
      });
    }
    /// Carry `C`, as what each step has one of lies.
    template <std::size_t C>
    strided<T> carry() const {
      const strided<T> tensor = tapeless::detail::strided_of(std::get<C>(*places_).at(now_->at[C]));
      constexpr std::size_t first = loop::first_axis + 1;
      strided<T> result{tensor.data, tensor.rank + static_cast<int>(first), {}, {}};
      for (std::size_t k = 0; k < static_cast<std::size_t>(tensor.rank); ++k)
        result.extents[first + k] = tensor.extents[k], result.strides[first + k] = tensor.strides[k];
      return result;
    }
  };
};

/// A loop that keeps checkpoints, where others read its histories, and computes those that it reads itself again.
template <class P, int I, class T>
class loop_with_checkpoints {
  static constexpr program::node n = P::value.nodes[I];
  using operation = program::operation_of<n.operation>;
  static constexpr auto layout = tensor_loop_node<P, I, T>::layout;
  static constexpr std::size_t operands = layout.operands.size(), outputs = layout.outputs.size();
  template <class, int, class>
  friend class loop_with_checkpoints;
  using again = program::replayed_loops<P, I>;
  using checkpoints = tensor_checkpoints<operation, T, layout>;
  /// The checkpoints of a call, from the loop on to the last that computes its histories again. A call that the thread
  /// makes in between has others.
  static auto& checkpoints_of(const void* call) {
    auto& all = tapeless::detail::of_thread<std::list<checkpoints>, loop_with_checkpoints>();
    checkpoints* found = nullptr;
    for (auto& each : all)
      if (each.is_of(call) || (each.is_of(nullptr) && !found)) found = &each;
    return found ? *found : all.emplace_front();
  }
  /// The histories that are computed again: before each step, `from` says where its carries are.
  template <std::size_t... S>
  struct histories {
    std::array<strided<T>, operands>& from;
    std::tuple<typename loop_with_checkpoints<P, again::all[S], T>::checkpoints::replay...> loops;

    histories([[maybe_unused]] const void* call, std::array<strided<T>, operands>& to)
        : from(to), loops(loop_with_checkpoints<P, again::all[S], T>::checkpoints_of(call)...) {}
    void go_to([[maybe_unused]] std::ptrdiff_t element, [[maybe_unused]] std::ptrdiff_t step, const auto&...) {
      (std::get<S>(loops).go_to(element, step), ...);
      tapeless::detail::for_each_index<operands>([&](auto j) {
        if constexpr (constexpr int source = again::of(j); source >= 0)
          from[j] = std::get<again::place(source)>(loops).template carry<static_cast<std::size_t>(again::carry(j))>();
      });
    }
  };
  template <std::size_t... S>
  static std::ptrdiff_t run(const void* call, std::array<strided<T>, operands>& from,
                            const std::array<strided<T>, outputs>& to, std::index_sequence<S...>) {
    histories<S...> before(call, from);
    if constexpr (program::times_replayed<P, I> == 0)
      return tensor_loop<operation, T, layout>::run(from, to, before);
    else
      return tensor_loop<operation, T, layout>::run(
          from, to, before, checkpoints_of(call).begin(call, program::times_replayed<P, I>, from));
  }

 public:
  static std::ptrdiff_t run(const void* call, std::array<strided<T>, operands>& from,
                            const std::array<strided<T>, outputs>& to) {
    return run(call, from, to, again::places);
  }
};

}  // namespace tapeless::loops::inline TAPELESS_TARGET
