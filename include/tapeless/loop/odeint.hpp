#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/loop/cond.hpp>
#include <tapeless/loop/scan.hpp>
#include <tapeless/operation/list.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The Dormand-Prince method of order 5 with step sizes chosen for a tolerance, in at most `MostSteps` attempts:
/// `odeint<adaptive_steps<1000000>>(...)`.
template <int MostSteps>
  requires(MostSteps > 0)
struct adaptive_steps {
  static constexpr int most_steps = MostSteps;
};
using adaptive = adaptive_steps<16384>;

namespace detail {

// `Number` is traced: compilers read what depends on a parameter of a template only where it is used.

/// `y` + h (w[0] k[0] + w[1] k[1] + ...); weights of zero count as absent.
template <class Y, class Number, std::size_t N, std::size_t S>
constexpr Y along(const Y& y, const Number& h, const std::array<double, N>& w, const std::array<Y, S>& k) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto add = [&](const auto& begin, const auto&... slopes) {
      Number sum = 0.0;
      ((w[I] != 0 ? static_cast<void>(sum = sum + w[I] * slopes) : void()), ...);
      return begin + h * sum;
    };
    return transform_leaves(add, y, k[I]...);
  }(std::make_index_sequence<N>{});
}

/// The numbers of a structure as nodes of the graph, constants too.
template <class Y>
constexpr tracing::to<Y> as_nodes(program::builder& graph, const Y& y) {
  const auto node = [&](const traced&, const auto& leaf) { return traced(graph, node_in(graph, leaf)); };
  return transform_leaves(node, tracing::to<Y>{}, y);
}

/// What is wrong with y' = f(t, y, args...), whose arguments after y are those from `First` on; after them there can be
/// a tolerance.
template <class Y, std::size_t First, class F, class... Args, std::size_t... I>
constexpr program::fault slope_problem(std::index_sequence<I...>) {
  using all = std::tuple<const Args&...>;
  if constexpr (!std::is_invocable_v<const F&, const traced&, const Y&, std::tuple_element_t<First + I, all>...>) {
    return program::fault::slope_unfit;
  } else {
    using result = std::remove_cvref_t<
        std::invoke_result_t<const F&, const traced&, const Y&, std::tuple_element_t<First + I, all>...>>;
    using tolerance = std::remove_cvref_t<std::tuple_element_t<sizeof...(Args) - 1, all>>;
    if constexpr (!is_traceable_result<result>())
      return program::fault::slope_changes_shape;
    else if constexpr (Structure<result> != Structure<Y> || member_count<result> != member_count<Y> ||
                       shape_of<result>::size != shape_of<Y>::size)
      return program::fault::slope_changes_shape;
    else
      return First > 0 ||
                     (is_traceable_result<tolerance>() && member_count<tolerance> == (Structure<tolerance> ? 2 : 0))
                 ? program::fault::none
                 : program::fault::tolerance_unfit;
  }
}
/// y' = slope(t, y) as the methods call it: what `f` returns, in the type of y.
template <class Y, std::size_t First, class F, class... Args, std::size_t... I>
constexpr auto slope_of(std::index_sequence<I...>, const F& f, const Args&... args) {
  return [&f, given = std::tuple<const Args&...>(args...)](const traced& t, const Y& y) -> Y {
    return transform_leaves([](const auto&, const auto& slope) { return slope; }, y,
                            f(t, y, std::get<First + I>(given)...));
  };
}

/// A step of the classical method of Runge and Kutta (1901), of order 4.
template <class Y, class Slope, class Number>
constexpr Y runge_kutta_step(const Slope& slope, const Number& t, const Number& h, const Y& y) {
  const Number half = h / 2;
  std::array<Y, 4> k{slope(t, y), y, y, y};
  k[1] = slope(t + half, along(y, half, std::array{1.0}, k));
  k[2] = slope(t + half, along(y, half, std::array{0.0, 1.0}, k));
  k[3] = slope(t + h, along(y, h, std::array{0.0, 0.0, 1.0}, k));
  return along(y, h / 6, std::array{1.0, 2.0, 2.0, 1.0}, k);
}

/// The method of J. R. Dormand and P. J. Prince, "A family of embedded Runge-Kutta formulae", Journal of Computational
/// and Applied Mathematics 6, 1980: RK5(4)7M, of which the result has order 5 and the seventh slope is that at the end.
struct dormand_prince {
  static constexpr std::array<double, 6> result{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84};
  static constexpr std::array<double, 7> error{71. / 57600,      0,          -71. / 16695, 71. / 1920,
                                               -17253. / 339200, 22. / 525., -1. / 40};

  /// The slopes of a step, without the seventh.
  template <class Y, class Slope, class Number>
  static constexpr std::array<Y, 7> slopes(const Slope& slope, const Number& t, const Number& h, const Y& y,
                                           const Y& first) {
    std::array<Y, 7> k{first, y, y, y, y, y, y};
    k[1] = slope(t + h * (1. / 5), along(y, h, std::array{1. / 5}, k));
    k[2] = slope(t + h * (3. / 10), along(y, h, std::array{3. / 40, 9. / 40}, k));
    k[3] = slope(t + h * (4. / 5), along(y, h, std::array{44. / 45, -56. / 15, 32. / 9}, k));
    k[4] =
        slope(t + h * (8. / 9), along(y, h, std::array{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729}, k));
    k[5] = slope(t + h, along(y, h, std::array{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656}, k));
    return k;
  }
};

/// The choice of steps from a time until `end`, as the program DOPRI5 makes it (E. Hairer, S. P. Norsett and G. Wanner,
/// "Solving Ordinary Differential Equations I", 1993, II.4; the controller is that of volume II, IV.2). Nothing here is
/// differentiated.
template <class Y, class Slope, class Number = traced>
class step_control {
  program::builder& graph_;
  const Slope& slope_;
  Number absolute_, relative_, end_, direction_;
  Y zero_;

  /// The root of the mean of the squares of the numbers in `e`, each over what the tolerances allow it.
  constexpr Number size(const Y& e, const Y& a, const Y& b) const {
    Number total = 0.0, count = over_tensors() ? 0.0 : static_cast<double>(shape_of<Y>::size);
    const auto add = [&](const Number& x, const Number& p, const Number& q) {
      const Number relative = square(x / (absolute_ + relative_ * max(abs(p), abs(q))));
      total = total + (over_tensors() ? Number(sum(relative)) : relative);
      if (over_tensors()) count = count + sum(where(relative >= 0, 1.0, 0.0));
      return x;
    };
    static_cast<void>(transform_leaves(add, e, a, b));
    return sqrt(total / count);
  }

 public:
  /// Where it is: the time, the next step, the error of the last step that was accepted, and how much the next one may
  /// grow.
  using state = std::tuple<Number, Number, Number, Number>;

  template <class Tolerance>
  constexpr step_control(program::builder& graph, const Slope& slope, const Number& start, const Number& end,
                         const Y& zero, const Tolerance& tolerance)
      : graph_(graph),
        slope_(slope),
        end_(end),
        direction_(where(end >= start, Number(1.0), Number(-1.0))),
        zero_(zero) {
    const auto positive = [&](const auto& number) {
      return Number(where(as_nodes(graph, number) >= 0, number, std::numeric_limits<double>::quiet_NaN()));
    };
    if constexpr (Structure<Tolerance>)
      absolute_ = positive(structure<Tolerance>::template get<0>(tolerance)),
      relative_ = positive(structure<Tolerance>::template get<1>(tolerance));
    else
      absolute_ = relative_ = positive(tolerance);
  }

  constexpr bool over_tensors() const { return graph_.mode() == program::stage::recording; }
  constexpr auto has_passed(const Number& t, const Number& other) const { return direction_ * (t - other) >= 0; }

  /// At `t`, with a first step of at most `bound`.
  constexpr state begin(const Number& t, const Y& y, const Y& at, const Number& bound) const {
    // Sizes may be too large for a number: a component at 0 is measured by the absolute tolerance alone.
    const Number d0 = size(y, y, y), d1 = size(at, y, y), part = 0.01 * d0 / d1;
    const Number short_one = min(where(d0 >= 1e-5 && d1 >= 1e-5 && part > 0, part, 1e-6), bound),
                 h = direction_ * short_one;
    const Y bent = slope_(t + h, along(y, h, std::array{1.0}, std::array<Y, 1>{at}));
    const auto minus = [](const auto& a, const auto& b) { return a - b; };
    const Number d = max(d1, size(transform_leaves(minus, bent, at), y, y) / short_one);
    // A difference that is no number, or infinite, asks for a short step too.
    const Number wanted = where(d > 1e-15 && 1 / d > 0, pow(0.01 / d, 0.2), max(0.001 * short_one, 1e-6));
    return {t, direction_ * min(min(100 * short_one, wanted), bound), Number(1e-4), Number(10.0)};
  }

  /// Where it is when `to` is reached, the steps until then, as a sequence in which a rejected one is 0, and over
  /// tensors how many they are: there the sequence has a place for the most. None goes beyond the end.
  template <int MostSteps>
  constexpr auto find(const state& from, const Y& y0, const Y& at0, const Number& to) const {
    const auto attempt = [&](const auto& so_far, const auto&) {
      const auto& [done, t, wanted, before, most, y, at, count] = so_far;
      const auto arrived = has_passed(t, to);
      const Number rest = end_ - t;
      const auto is_last = abs(rest) <= 1.01 * abs(wanted);
      const Number h = where(is_last, rest, wanted);
      std::array<Y, 7> k = dormand_prince::slopes(slope_, t, h, y, at);
      const Y next = along(y, h, dormand_prince::result, k);
      k[6] = slope_(t + h, next);
      const Number error = size(along(zero_, h, dormand_prince::error, k), y, next);
      const auto accepted = error <= 1 && !arrived;
      const Number reached = where(accepted, where(is_last, end_, t + h), t);
      // So short a step moves nothing.
      const auto stuck = !accepted && t + 0.1 * h == t;
      const Number factor = 0.9 * where(accepted, pow(before, 0.04), 1.0) * pow(error, -0.17);
      const auto chosen = [&](const auto& old, const auto& other) { return where(accepted, other, old); };
      return std::pair(
          std::tuple(Number(where(arrived || stuck || has_passed(reached, to), 1.0, 0.0)), reached,
                     Number(where(arrived, wanted, h * where(error < 1e10, min(max(factor, 0.2), most), 0.2))),
                     Number(where(accepted, max(error, 1e-4), before)),
                     Number(where(arrived, most, where(accepted, 10.0, 1.0))), transform_leaves(chosen, y, next),
                     transform_leaves(chosen, at, k[6]), over_tensors() ? Number(count + 1) : count),
          Number(where(accepted, h, 0.0)));
    };
    const auto& [t, wanted, before, most] = from;
    const auto [last, lengths] =
        record_loop<until_flag>(graph_, attempt, std::tuple(Number(0.0), t, wanted, before, most, y0, at0, Number(0.0)),
                                steps(double{MostSteps}));
    return std::tuple(stop_gradient(state(std::get<1>(last), std::get<2>(last), std::get<3>(last), std::get<4>(last))),
                      stop_gradient(lengths), Number(min(std::get<7>(last), double{MostSteps})));
  }
};

/// A step of Dormand and Prince's method, and the polynomial of order 4 that continues it between its ends, of which
/// these are the coefficients (E. Hairer, S. P. Norsett and G. Wanner, "Solving Ordinary Differential Equations I",
/// 1993, II.6, as in their program DOPRI5).
template <class Y, class Number = traced>
struct continued_step {
  static constexpr std::array<double, 7> weights{-12715105075. / 11282082432,  0,
                                                 87487479700. / 32700410799,   -10690763975. / 1880347072,
                                                 701980252875. / 199316789632, -1453857185. / 822651844,
                                                 69997945. / 29380423};
  /// Where it begins, how long it is, y at its begin and its end, the slope at its end, and the coefficients.
  std::tuple<Number, Number, Y, Y, Y, std::array<Y, 3>> all;

  template <class Slope>
  constexpr continued_step next(const Slope& slope, const Number& h, const Y& zero) const {
    const auto& [begin, length, first, y, at, coefficients] = all;
    const Number t = begin + length;
    std::array<Y, 7> k = dormand_prince::slopes(slope, t, h, y, at);
    const Y end = along(y, h, dormand_prince::result, k);
    k[6] = slope(t + h, end);
    const auto rest = [&](const auto& by, const auto& a, const auto& b) { return h * by - (b - a); };
    const auto last = [&](const auto& by, const auto& bend, const auto& a, const auto& b) {
      return b - a - h * by - bend;
    };
    const Y bend = transform_leaves(rest, k[0], y, end);
    return {{t, h, y, end, k[6], {bend, transform_leaves(last, k[6], bend, y, end), along(zero, h, weights, k)}}};
  }
  /// At its own begin, where times begin, one of no length is a step of order 4, with its derivatives.
  template <class Slope>
  constexpr Y value(program::builder& graph, const Slope& slope, const Number& t) const {
    const auto& [begin, length, y, end, at, coefficients] = all;
    const Number since = t - begin, none = where(stop_gradient(length) == 0, 1.0, 0.0), x = since / (length + none);
    const auto value = [&](const auto& a, const auto& b, const auto& p, const auto& q, const auto& r) {
      return a + x * (b - a + (1 - x) * (p + x * (q + (1 - x) * r)));
    };
    const Y inside = transform_leaves(value, y, end, coefficients[0], coefficients[1], coefficients[2]);
    return taken_or(graph, none, inside,
                    [&, &t0 = begin, &y0 = end] { return runge_kutta_step(slope, t0, since, y0); });
  }
};

template <class Memory, class Y, class Slope, class Number>
constexpr Y integrate(const Slope& slope, const Y& y0, const Number& t0, const Number& t1, const Number& n) {
  const Number h = (t1 - t0) / max(n, 1.0);
  return scan<Memory>([&](const Y& y, const Number& step) { return runge_kutta_step(slope, t0 + step * h, h, y); }, y0,
                      steps(n));
}
template <class Method, class Y, class Slope, class Number, class Tolerance>
constexpr Y integrate_adaptively(program::builder& graph, const Slope& slope, const Y& y0, const Number& t0,
                                 const Number& t1, const Tolerance& tolerance) {
  const Number length = t1 - t0;
  const Y zero = as_nodes(graph, transform_leaves([](const auto&) { return 0.0; }, y0)), start = slope(t0, y0);
  const step_control control(graph, slope, t0, t1, zero, tolerance);
  const auto [last, lengths, count] =
      control.template find<Method::most_steps>(control.begin(t0, y0, start, abs(length)), y0, start, t1);
  // A factor of each step: where t1 is not reached, all derivatives are no numbers either.
  // What is compared is stopped like the steps, which differences at held stops do not change (check_gradient).
  const Number valid =
      where(control.has_passed(std::get<0>(last), stop_gradient(t1)), 1.0, std::numeric_limits<double>::quiet_NaN());
  const Number whole = stop_gradient(length);
  // Parts of the whole are stopped, not lengths: derivatives by t0 and t1 are right. All of nothing is the first step:
  // what runs beside it in lanes may take more.
  const auto advance = [&](const auto& carry, const Number& step) {
    const auto& [from, now] = carry;
    const Number all = where(from == 0, 1.0, 0.0), part = valid * where(whole == 0, all, step / whole);
    const Number t = t0 + from * length, h = part * length;
    const auto k = dormand_prince::slopes(slope, t, h, now, slope(t, now));
    const auto chosen = [&](const auto& old, const auto& other) { return where(part != 0, other, old); };
    return transform_leaves(chosen, carry, std::tuple(from + part, along(now, h, dormand_prince::result, k)));
  };
  const std::tuple begin(Number(0.0), y0);
  if (!control.over_tensors()) return std::get<1>(scan(advance, begin, lengths));
  const auto at = [&, &of_steps = lengths](const auto& carry, const auto& k) { return advance(carry, of_steps[k]); };
  return std::get<1>(scan(at, begin, steps(count)));
}

template <class Method, class Y, class Slope, class Number, class Tolerance>
constexpr auto integrate_to_times(program::builder& graph, const Slope& slope, const Y& y0, const Number& t0,
                                  const Number& times, const Tolerance& tolerance) {
  if (graph.mode() == program::stage::recording) {
    // Steps that end at each time are fewer nodes than polynomials of tensors.
    const auto to_time = [&](const auto& carry, const Number& t) {
      const Y y = integrate_adaptively<Method>(graph, slope, std::get<1>(carry), std::get<0>(carry), t, tolerance);
      return std::pair(std::tuple(t, y), y);
    };
    return scan(to_time, std::tuple(t0, y0), times).second;
  }
  using step_type = continued_step<Y>;
  const Y zero = as_nodes(graph, transform_leaves([](const auto&) { return 0.0; }, y0)), start = slope(t0, y0);
  const auto [first, end] = scan(
      [&](const auto& found, const Number& t) { return std::array{Number(where(found[0] == t0, t, found[0])), t}; },
      std::array{t0, t0}, times);
  const step_control control(graph, slope, t0, end, zero, tolerance);
  // Up to time t: the steps that it takes, found behind a stop, and then these steps.
  const auto body = [&](const auto& carry, const Number& t) {
    const auto& [here, found] = carry;
    const auto [next, lengths, count] =
        control.template find<Method::most_steps>(found, std::get<3>(here), std::get<4>(here), t);
    const auto last = scan(
        [&](const auto& before, const Number& h) {
          const auto chosen = [&](const auto& old, const auto& other) { return where(h != 0, other, old); };
          return transform_leaves(chosen, before, step_type{before}.next(slope, h, zero).all);
        },
        here, lengths);
    const auto valid =
        control.has_passed(std::get<0>(next), t) && control.has_passed(t, stop_gradient(std::get<0>(last)));
    const Number factor = where(valid, 1.0, std::numeric_limits<double>::quiet_NaN());
    return std::pair(std::tuple(last, next), transform_leaves([&](const auto& number) { return factor * number; },
                                                              step_type{last}.value(graph, slope, t)));
  };
  const auto found = stop_gradient(control.begin(t0, y0, start, abs(first - t0)));
  const step_type none{{t0, Number(0.0), y0, y0, start, {zero, zero, zero}}};
  return scan(body, std::tuple(none.all, found), times).second;
}

}  // namespace detail

/// The solution at t1 of y' = f(t, y, args...) with y(t0) = y0, in a traced function. `odeint(f, y0, t0, t1, n,
/// args...)` takes n steps of the classical Runge-Kutta method of order 4, whose error falls as 1 / n^4; the integer n
/// can be a run-time value. y0 is a number, or an array, tuple or adapted struct of numbers, in functions over tensors
/// also of tensors, and f returns the same. t1 may be before t0. Derivatives with respect to y0, t0, t1 and args are
/// those of the steps taken, computed as for `scan`: `odeint<checkpoints<c>>` stores c states, and `odeint<store_all>`,
/// the default, all of them. Throws `std::invalid_argument` if n is negative or not an integer.
///
/// `odeint<adaptive>(f, y0, t0, t1, args..., tolerance)` chooses the steps of the Dormand-Prince method of order 5. The
/// estimated error of a step is e with sqrt(mean over i of (e[i] / (a + r max(|y[i]| before, |y[i]| after)))^2) at most
/// 1, where the tolerance is a number a = r or std::array{a, r}; the error at t1 is about that, magnified by the
/// equation. A step whose error is too large, or no number, is tried again with a shorter one. The division of t1 - t0
/// into steps is found first, behind a stop, and derivatives are those of the method with these steps. If 16 384
/// attempts do not reach t1 (`adaptive_steps<n>`: n), as with a stiff equation, or if no step is short enough, as
/// before a pole, the result and its derivatives are NaN. Cost: each step runs twice; a gradient runs over the attempts
/// made, including rejected ones.
template <class Method = store_all, class F, class Y, class T0, class T1, class N, class... Args>
constexpr auto odeint(const F& f, const Y& y0, const T0& t0, const T1& t1, const N& n, const Args&... args) {
  if constexpr (!detail::is_traceable_result<Y>()) {
    return detail::misused<program::fault::odeint_start_unfit>(y0, t0, t1, n, args...);
  } else {
    constexpr bool adapts = requires { Method::most_steps; };
    constexpr std::index_sequence_for<Args...> given;
    using state = detail::tracing::to<Y>;
    constexpr program::fault problem = detail::slope_problem<state, adapts ? 0 : 1, F, N, Args...>(given);
    if constexpr (problem != program::fault::none) {
      return detail::misused<problem>(y0, t0, t1, n, args...);
    } else {
      const auto slope = detail::slope_of<state, adapts ? 0 : 1>(given, f, n, args...);
      program::builder* graph = detail::find_graph(y0, t0, t1, n, args...);
      // All that it starts from is constant: what `f` captures leads to the function.
      graph = &detail::graph_of_loop(graph ? graph : detail::find_graph(slope(traced(t0), detail::as_traced(y0))));
      const state start = detail::as_nodes(*graph, y0);
      const traced from = detail::as_nodes(*graph, t0), to = detail::as_nodes(*graph, t1);
      if constexpr (adapts)
        return detail::integrate_adaptively<Method>(*graph, slope, start, from, to,
                                                    std::get<sizeof...(Args)>(std::tie(n, args...)));
      else
        return detail::integrate<Method>(slope, start, from, to, detail::as_nodes(*graph, n));
    }
  }
}

/// The solution of y' = f(t, y, args...) with y(t0) = y0 at each of `times`, in a traced function, as a sequence for
/// another `scan`: `odeint_at(f, y0, t0, times, args..., tolerance)`. `times` is a sequence that goes from t0 on in one
/// direction; at a time before another one, or beyond the last, the value is NaN. Steps are those of `odeint<adaptive>`
/// up to the last time. Between the ends of a step, y is the method's interpolating polynomial of order 4. Step lengths
/// are found behind a stop; derivatives with respect to y0, t0, the times and args are those of the method with these
/// steps. A value that is not reached in 16 384 attempts after the one before it (`odeint_at<adaptive_steps<n>>`: n) is
/// NaN. In functions over tensors, y0 may hold tensors, and steps end at each time, which may lie in any order.
template <class Method = adaptive, class F, class Y, class T0, class Times, class Tolerance, class... Args>
constexpr auto odeint_at(const F& f, const Y& y0, const T0& t0, const Times& times, const Tolerance& first,
                         const Args&... rest) {
  if constexpr (!detail::is_traceable_result<Y>() || !std::is_same_v<Times, traced>) {
    return detail::misused<program::fault::odeint_at_unfit>(y0, t0, times, first, rest...);
  } else {
    constexpr std::index_sequence_for<Args...> given;
    using state = detail::tracing::to<Y>;
    constexpr program::fault problem = detail::slope_problem<state, 0, F, Tolerance, Args...>(given);
    if constexpr (problem != program::fault::none) {
      return detail::misused<problem>(times, y0, t0, first, rest...);
    } else {
      program::builder& graph = *times.graph();
      return detail::integrate_to_times<Method>(graph, detail::slope_of<state, 0>(given, f, first, rest...),
                                                detail::as_nodes(graph, y0), detail::as_nodes(graph, t0), times,
                                                std::get<sizeof...(Args)>(std::tie(first, rest...)));
    }
  }
}

}  // namespace tapeless
