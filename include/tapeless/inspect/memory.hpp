#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/evaluate/loops/run_loop.hpp>
#include <tapeless/inspect/cost.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The memory that a call needs, in bytes: on the stack, with what its loops need there, before the compiler removes
/// what fits in registers, and on the heap for each step of its loops.
struct memory_use {
  std::size_t frame = 0;
  std::size_t step = 0;

  bool operator==(const memory_use&) const = default;
};

namespace detail {

template <class P, class T>
constexpr memory_use memory_of() {
  memory_use all{sizeof(scalar::evaluation<P, T>), 0};
  std::size_t locals = 0;
  const auto add = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    if constexpr (program::is_loop(P::value.nodes[I])) {
      using loop = scalar::detail::loop_in_program<P, T, I>;
      using histories = decltype(loop::histories(std::declval<const typename scalar::evaluation<P, T>::values&>()));
      if constexpr (scalar::detail::numbers_in_frame<P, T, I>() == 0)
        all.step += scalar::detail::loop_at<P, I>::columns * sizeof(T);
      // Its operands, those that no write can change, what it computes again, and a step.
      const std::size_t here = 2 * sizeof(scalar::detail::scan_operands<T, typename loop::Op>) + sizeof(histories) +
                               memory_of<typename loop::loop::body, T>().frame;
      locals = here > locals ? here : locals;
    }
  };
  scalar::detail::in_blocks<static_cast<int>(P::value.nodes.size())>(
      [&]<std::size_t... I>(std::index_sequence<I...>) { (add(std::integral_constant<std::size_t, I>{}), ...); });
  all.frame += locals;
  return all;
}

}  // namespace detail

/// The memory of a verb of a function with arguments of the types `Args`, as a constant: `memory<double,
/// int>(gradient(f, wrt<0>))`. Loops inside the bodies of loops are not counted, since they return their memory after
/// each step.
template <class... Args, class G>
constexpr memory_use memory(const G& verb) {
  using program = typename decltype(detail::program_of_function<Args...>(verb))::type;
  return detail::memory_of<program, detail::function_real_t<Args...>>();
}

}  // namespace tapeless
