#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/emit/nests.hpp>
#include <tapeless/evaluate/memory/tensor_loop.hpp>
#include <tapeless/gradient/unconnected.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace tapeless {

// Only <tapeless/xtensor.hpp> has these.
template <class T>
struct tensor_traits;

namespace detail {

inline namespace TAPELESS_TARGET {

template <verb V, class F, class Variables, class Policy, class Sharded, class Seeds, class... Bindings>
struct tensor_call;

}  // namespace TAPELESS_TARGET

/// What stands for a tensor in a step: one whose type tells which extents are 1.
template <class T, auto Extents>
struct c_tensor_of_step {};

}  // namespace detail

template <class T, auto Extents>
struct tensor_traits<detail::c_tensor_of_step<T, Extents>> {
  using element = T;
  static constexpr int rank = static_cast<int>(Extents.size());
  static constexpr bool column_major = false;
  static constexpr auto extents = Extents;
  template <class U>
  using result = detail::c_tensor_of_step<U, Extents>;
};

namespace detail {

template <class Around, std::size_t K>
struct nests_of_step;

/// The plan `S` of the finished program `Of`, whose axes are `Axes::axes`, in `Depth` other programs.
template <class Of, class S, class Number, class Axes, int Depth>
struct nests_of_program {
  using P = Of;
  using T = Number;
  using axes_type = Axes;
  static constexpr int depth = Depth;
  using loops = program::loops_in<P>;

  static constexpr auto outputs = [] {
    std::array<program::tensor_access, S::outputs> result{};
    for (std::size_t o = 0; o < S::outputs; ++o) result[o] = S::output_access(o);
    return result;
  }();
  static constexpr c_plan plan{true, S::steps, S::kernels, S::buffers, P::value.axis_rules, outputs, Axes::axes};
  template <class, std::size_t K>
  using body = typename nests_of_step<nests_of_program, K>::type::written;
  using written = c_source_of<P, T, nests_of_program>;
  /// Whether the compiler can plan it.
  static constexpr bool exists = []<std::size_t... K>(std::index_sequence<K...>) {
    return S::exists() && (nests_of_step<nests_of_program, K>::type::exists && ...);
  }(loops::all);
};

/// A step of loop number `K` of the program `Around`: a call, as a call of that program makes it.
template <class Around, std::size_t K>
struct nests_of_step {
  using P = typename Around::P;
  using T = typename Around::T;
  using loop = typename Around::loops::template operation<K>;
  static constexpr int node = Around::loops::nodes[K];
  static constexpr std::size_t operands = static_cast<std::size_t>(loop::shape.operands());
  static constexpr const program::tensor_move& read(std::size_t operand) {
    return P::value.move(node, static_cast<int>(operand));
  }
  static constexpr auto layout = tapeless::loops::tensor_loop_node<P, node, T>::layout;

  /// Variable `v` of a step: the axes of operand v + 1 but that of the steps; of a history that a call computes again,
  /// those of the carry. The last is the number of the step.
  static constexpr c_tensor tensor_of(std::size_t v) {
    if (v + 1 == operands) return {};
    const program::graph_view view = P::view();
    const int j = static_cast<int>(v) + 1, reader = view.edges[view.nodes[node].first + j];
    const int again = c_history_read(view, reader), first = again < 0 && j >= loop::shape.first_sequence() ? 1 : 0;
    const program::tensor_access& from =
        again < 0 ? read(v + 1).from : view.moves[P::value[view.edges[P::value[reader].first]].access + 1 + again].from;
    c_tensor result{{from.rank - first, {}}};
    for (int k = first; k < from.rank; ++k)
      result.axes[static_cast<std::size_t>(k - first)] =
          from.axes[k] < 0 ? c_axis{c_axis::of::constant, 1}
                           : Around::axes_type::axes[static_cast<std::size_t>(from.axes[k])];
    return result;
  }
  template <std::size_t V>
  static constexpr auto extents = [] {
    constexpr c_tensor tensor = tensor_of(V);
    std::array<std::ptrdiff_t, static_cast<std::size_t>(tensor.rank)> result{};
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = tensor.axes[k].is(1) ? 1 : -1;
    return result;
  }();
  using formula = typename tapeless::loops::tensor_loop<loop, T, layout>::formula;
  template <std::size_t V>
  struct binding {
    using variable_type = typename formula::template variable<V>;
    using value_type = c_tensor_of_step<T, extents<V>>;
    value_type value;
  };
  template <std::size_t... V>
  static tensor_call<value_verb, formula, wrt_variables<>, unconnected::materialise_policy, wrt_variables<>,
                     std::tuple<>, binding<V>...>
      call_of(std::index_sequence<V...>);
  using call = decltype(call_of(std::make_index_sequence<operands>{}));

  static constexpr auto axes = program::as_array([] {
    std::array<c_tensor, operands> tensors{};
    for (std::size_t v = 0; v < operands; ++v) tensors[v] = tensor_of(v);
    return c_axes_of(static_cast<int>(call::S::axes), tensors, call::P::value.accesses, {}, call::P::value.axis_rules,
                     Around::depth + 1);
  });
  using type = nests_of_program<typename call::P, typename call::S, T, nests_of_step, Around::depth + 1>;
};

}  // namespace detail

}  // namespace tapeless
