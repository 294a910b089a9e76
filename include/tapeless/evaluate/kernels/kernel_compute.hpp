#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/kernel_frame.hpp>

#include <array>
#include <cstddef>
#include <utility>

namespace tapeless::loops::inline TAPELESS_TARGET {

namespace detail {

/// The steps of the frame `F` that compute, one after the other.
template <class F>
struct kernel_compute {
  using S = typename F::plan;
  using T = typename F::number;
  using n = typename F::n;
  using V = typename F::V;
  using load_frame = typename F::load_frame;
  using compute_frame = typename F::compute_frame;
  static constexpr auto depth = F::depth;
  static constexpr auto loads = F::loads;
  static constexpr auto computes = F::computes;
  static constexpr const program::node& node(int i) { return F::node(i); }
  static constexpr int operand(int i, int j) { return F::operand(i, j); }

  /// Which operand of a step is a product that it computes with its sum, with one rounding: one that nothing else uses.
  /// -1 where there is none. And whether a step is such a product.
  struct fusion {
    int product[n::steps]{};
    bool dissolved[n::steps]{};
  };
  static constexpr fusion fused = [] {
    fusion result{};
    std::array<int, S::nodes.size()> uses{}, step_of{};
    for (std::size_t s = 0; s < n::steps; ++s) {
      const int i = n::step(s).node;
      if (n::step(s).kind == step_kind::compute) step_of[static_cast<std::size_t>(i)] = static_cast<int>(s);
      if (n::step(s).kind == step_kind::compute || n::step(s).kind == step_kind::reduce)
        for (int j = 0; j < node(i).count; ++j) ++uses[static_cast<std::size_t>(operand(i, j))];
      else if (n::step(s).kind != step_kind::load)
        ++uses[static_cast<std::size_t>(i)];
    }
    for (std::size_t s = 0; s < n::steps; ++s) {
      result.product[s] = -1;
      if (depth == 0 || n::step(s).kind == step_kind::load) continue;
      const program::node& sum = node(n::step(s).node);
      const bool adds =
          n::step(s).kind == step_kind::compute
              ? sum.opcode == program::opcode::add || sum.opcode == program::opcode::subtract
              : n::step(s).kind == step_kind::reduce && program::applies(sum, program::info<operation::Sum>);
      for (int j = 0; adds && j < sum.count && result.product[s] < 0; ++j) {
        const std::size_t factor = static_cast<std::size_t>(operand(n::step(s).node, j));
        if (uses[factor] == 1 && step_of[factor] > 0 && S::nodes[factor].opcode == program::opcode::multiply) {
          result.product[s] = j;
          result.dissolved[step_of[factor]] = true;
        }
      }
    }
    return result;
  }();
  /// a b - c, c - a b, a b + c.
  template <int Kind>
  TAPELESS_ALWAYS_INLINE static V product_and_sum(const V& a, const V& b, const V& c) {
    if constexpr (Kind == 0)
      return simd::multiply_subtract(a, b, c);
    else if constexpr (Kind == 1)
      return simd::subtract_product(a, b, c);
    else
      return simd::multiply_add(a, b, c);
  }

  template <std::size_t I>
  TAPELESS_ALWAYS_INLINE static void compute(const load_frame& loaded, compute_frame& computed) {
    constexpr int i = n::step(loads + I).node;
    constexpr program::node of = node(i);
    constexpr int product = fused.product[loads + I];
    auto& to = static_cast<slot<static_cast<std::size_t>(i), typename F::template value_type<i>>&>(computed).value;
    if constexpr (product >= 0) {
      constexpr int kind = of.opcode == program::opcode::add ? 2 : product;
      to = product_and_sum<kind>(F::template value<operand(operand(i, product), 0)>(loaded, computed),
                                 F::template value<operand(operand(i, product), 1)>(loaded, computed),
                                 F::template value<operand(i, 1 - product)>(loaded, computed));
    } else if constexpr (of.count == 0) {
      to = V(operation_step<of.operation, 0, T>::run(0, 0, 0));
    } else {
      to = operation_step<of.operation, of.count, T>::run_on_copies(F::template value<operand(i, 0)>(loaded, computed),
                                                                    F::template value<operand(i, 1)>(loaded, computed),
                                                                    F::template value<operand(i, 2)>(loaded, computed));
    }
  }

  /// The steps that compute something of their own.
  static constexpr auto computing = choose<computes>([](std::size_t i) { return !fused.dissolved[loads + i]; });
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void compute_block(const load_frame& loaded, compute_frame& computed,
                                                   std::index_sequence<I...>) {
    (compute<computing[Begin + I]>(loaded, computed), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < computing.size)
      compute_block<next>(loaded, computed, block<computing.size - next>{});
  }
  TAPELESS_ALWAYS_INLINE static void run(const load_frame& loaded, compute_frame& computed) {
    compute_block<0>(loaded, computed, block<computing.size>{});
  }
  template <std::size_t Begin, std::size_t... I>
  TAPELESS_ALWAYS_INLINE static void compute_two(const load_frame& loaded_p, compute_frame& computed_p,
                                                 const load_frame& loaded_q, compute_frame& computed_q,
                                                 std::index_sequence<I...>) {
    ((compute<computing[Begin + I]>(loaded_p, computed_p), compute<computing[Begin + I]>(loaded_q, computed_q)), ...);
    if constexpr (constexpr std::size_t next = Begin + sizeof...(I); next < computing.size)
      compute_two<next>(loaded_p, computed_p, loaded_q, computed_q, block<computing.size - next>{});
  }
  /// Two iterations, step by step in turn.
  TAPELESS_ALWAYS_INLINE static void run_two(const load_frame& loaded_p, compute_frame& computed_p,
                                             const load_frame& loaded_q, compute_frame& computed_q) {
    compute_two<0>(loaded_p, computed_p, loaded_q, computed_q, block<computing.size>{});
  }
};

}  // namespace detail

}  // namespace tapeless::loops::inline TAPELESS_TARGET
