#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/loop/implicit_root.hpp>
#include <tapeless/loop/scan.hpp>
#include <tapeless/math/infinity.hpp>
#include <tapeless/operation/list.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace tapeless {

namespace detail {

template <class State, class R>
constexpr State difference(const State& a, const R& b) {
  return transform_leaves([](const auto& x, const auto& y) { return x - y; }, a, b);
}

/// x - f(x, theta...), whose root is the fixed point.
template <class F>
struct fixed_point_residual {
  template <class X, class... Thetas>
  constexpr X operator()(const X& x, const Thetas&... thetas) const {
    return difference(x, F{}(x, thetas...));
  }
};

/// The largest absolute value of a number, an array or, where they may be tensors, of their elements.
template <class X>
constexpr traced largest(const X& e) {
  if constexpr (is_array<X>) {
    traced result = largest(e[0]);
    for (std::size_t i = 1; i < e.size(); ++i) result = max(result, largest(e[i]));
    return result;
  } else {
    const auto size = abs(e);
    return size.graph() && size.graph()->mode() == program::stage::recording ? traced(amax(size)) : size;
  }
}

/// From where the iteration shows how fast it converges.
struct Displaced {
  static constexpr std::string_view name = "displaced";
  static constexpr bool of_tensors = true;
  static constexpr double share = 1e-4;
  template <class Lowering, class Value>
  static constexpr Value lower(Lowering& to, const Value& operand) {
    return to.displaced(operand, share);
  }
};

}  // namespace detail

/// The fixed point x = f(x, theta...) as a function of theta, in a traced function. `fixed_point(f, x0, theta...)`
/// iterates from x0, a number or a `std::array`, until it converges. `f` is a function object without captures and
/// returns the type of x0.
///
/// The iteration ends when x changes by at most 1e-12 (1 + |x|), where |x| is the largest absolute value of its
/// numbers; or when x changes by at most 1e-5 (1 + |x|) and by no less than in the step before, since then the number
/// type resolves no more. A Newton step follows. It squares the error, so that the value and the derivatives are
/// correct up to rounding. If 10 000 steps do not converge, the result and its derivatives are NaN.
///
/// Derivatives are those of `implicit_root<Order>` for x - f(x, theta...), correct up to the order `Order`; with
/// respect to x0 they are zero. No iteration is stored or differentiated. The Jacobian of f with respect to x must not
/// have the eigenvalue 1.
///
/// In functions over tensors, x0 can be a tensor. A change of at most 1e-5 (1 + |x|) then ends the iteration if ten
/// steps brought no smaller one. Derivatives of every order are those of further steps from the fixed point: Neumann's
/// series of the linear system, without its matrix. A second iteration, from beside the fixed point, shows how many it
/// takes, so x0 may be the fixed point itself; but the iteration must converge there, which Newton's method does not
/// ask for. The derivatives have the error of the iteration, and take the memory of a `while_loop` of at most 10 000
/// steps.
template <std::size_t Order = 1, class F, class X, class... Thetas>
constexpr auto fixed_point(const F& f, const X& start, const Thetas&... thetas) {
  using program::fault;
  if constexpr (!detail::is_traceable_result<X>() || (!detail::is_array<X> && detail::Structure<X>)) {
    return detail::misused<fault::fixed_point_start_unfit>(start, thetas...);
  } else if constexpr (!std::is_empty_v<F>) {
    return detail::misused<fault::fixed_point_has_captures>(start, thetas...);
  } else if constexpr (detail::has_only_numbers<F>()) {
    return detail::misused<fault::number_wanted>(start, thetas...);
  } else {
    using state = detail::tracing::to<X>;
    constexpr bool fits = [] {
      if constexpr (std::is_invocable_v<const F&, state, detail::tracing::to<Thetas>...>)
        return detail::same_shape<
            X, std::remove_cvref_t<std::invoke_result_t<const F&, state, detail::tracing::to<Thetas>...>>>();
      else
        return false;
    }();
    if constexpr (!fits) {
      return detail::misused<fault::fixed_point_changes_shape>(start, thetas...);
    } else {
      constexpr double most = 10000, infinity = detail::infinity_of<double>();
      program::builder& graph = detail::graph_of_loop(detail::find_graph(start, thetas...));
      // Carries whether it is done, how much x changed, x. Over tensors the smallest change, and the number of steps,
      // also until then: no Newton step follows, and where x turns around the fixed point not every step brings it
      // nearer.
      const auto iterate = [&](const auto& first) {
        return detail::record_loop<detail::until_flag>(
            graph,
            [&](const auto& carry, const auto&) {
              constexpr bool counts = std::tuple_size_v<std::remove_cvref_t<decltype(first)>> > 3;
              const state& x = std::get<2>(carry);
              const state change = detail::difference(x, f(x, thetas...));
              const auto size = detail::largest(change), scale = 1 + detail::largest(x);
              const auto falls = size < std::get<1>(carry);
              // NaN ends it too.
              const auto ended = [&](const auto& approaches) {
                return traced(where(size > 1e-12 * scale && (size > 1e-5 * scale || approaches), 0, 1));
              };
              const state next = detail::difference(x, change);
              if constexpr (counts) {
                const traced count = std::get<3>(carry) + 1, best = where(falls, count, std::get<4>(carry));
                return std::tuple(ended(count - best < 10), traced(min(size, std::get<1>(carry))), next, count, best);
              } else
                return std::tuple(ended(falls), size, next);
            },
            first, steps(most));
      };
      // A factor, because the derivatives are NaN as well, also those that do not read x.
      const auto if_done = [](const auto& last, const state& x) {
        const auto converged = std::get<0>(last) > 0 && detail::largest(std::get<2>(last)) < infinity;
        const auto factor = where(converged, 1.0, std::numeric_limits<double>::quiet_NaN());
        return transform_leaves([&](const auto& each) { return each * stop_gradient(factor); }, x);
      };
      if (graph.mode() == program::stage::recording) {
        const auto iterate_counting = [&](const auto& x) { return iterate(std::tuple(0.0, infinity, x, 0.0, 0.0)); };
        const auto last = iterate_counting(start);
        const state found_root = stop_gradient(if_done(last, std::get<2>(last)));
        const state beside = transform_leaves([](const auto& x) { return apply<detail::Displaced>(x); }, found_root);
        // From 1e-4 away to 1e-12; twice as many steps gain twice as many digits.
        const auto count = 2 * std::get<3>(iterate_counting(beside));
        const auto further = steps(stop_gradient(traced(min(count, most))));
        return if_done(last, detail::repeat<store_all>(graph, found_root, further,
                                                       [&](const state& x) { return f(x, thetas...); }));
      }
      constexpr detail::fixed_point_residual<F> residual{};
      const auto last = iterate(std::tuple(0.0, infinity, start));
      const auto once = implicit_root(residual, std::get<2>(last), thetas...);
      return if_done(last, implicit_root<Order>(residual, once, thetas...));
    }
  }
}

}  // namespace tapeless
