#ifndef TAPELESS_LOOP_ODEINT_HPP
#define TAPELESS_LOOP_ODEINT_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/no_result.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/transform_leaves.hpp>
#include <tapeless/loop/scan.hpp>
#include <tapeless/operation/list.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The steps of `odeint<adaptive>`: the Dormand-Prince method of order 5, with step lengths chosen for a tolerance.
struct adaptive {};

namespace detail {

/// `y` + h (w[0] k[0] + w[1] k[1] + ...); weights of zero count as absent.
template <class Y, std::size_t N, std::size_t S>
constexpr Y along(const Y& y, const traced& h, const std::array<double, N>& w, const std::array<Y, S>& k) {
  if constexpr (Structure<Y>)
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto member = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
        using M = std::remove_cvref_t<decltype(structure<Y>::template get<J>(y))>;
        std::array<M, S> slopes{};
        for (std::size_t s = 0; s < N; ++s) slopes[s] = structure<Y>::template get<J>(k[s]);
        return along(structure<Y>::template get<J>(y), h, w, slopes);
      };
      Y result = y;
      ((structure<Y>::template get<I>(result) = member(std::integral_constant<std::size_t, I>{})), ...);
      return result;
    }(std::make_index_sequence<structure<Y>::size>{});
  else {
    traced sum = 0.0;
    for (std::size_t s = 0; s < N; ++s)
      if (w[s] != 0) sum = sum + w[s] * k[s];
    return y + h * sum;
  }
}

/// The numbers of a structure as nodes of the graph, constants too.
template <class Y>
constexpr tracing::to<Y> as_nodes(program::builder& graph, const Y& y) {
  if constexpr (Structure<Y>)
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return make_structure<tracing::to<Y>>(as_nodes(graph, structure<Y>::template get<I>(y))...);
    }(std::make_index_sequence<structure<Y>::size>{});
  else
    return traced(graph, node_in(graph, y));
}

/// `f(number...)` added up over the numbers of structures of one shape.
template <class F, class Y, class... Ys>
constexpr traced sum_over(const F& f, const Y& y, const Ys&... others) {
  if constexpr (Structure<Y>)
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      traced sum = 0.0;
      ((sum = sum + sum_over(f, structure<Y>::template get<I>(y), structure<Ys>::template get<I>(others)...)), ...);
      return sum;
    }(std::make_index_sequence<structure<Y>::size>{});
  else
    return f(y, others...);
}

/// The root of the mean of the squares of the numbers in `e`, each over 1 + the larger absolute value in `a` and `b`.
template <class Y>
constexpr traced relative_size(const Y& e, const Y& a, const Y& b) {
  const auto term = [](const traced& x, const traced& p, const traced& q) {
    return square(x / (1 + max(abs(p), abs(q))));
  };
  return sqrt(sum_over(term, e, a, b) / static_cast<double>(shape_of<Y>::size));
}

/// y' = slope(t, y) as the methods call it: what `f` returns, in the type of y.
template <class Y, class F, class... Args>
constexpr auto slope_of(const F& f, const Args&... args) {
  return [&f, &args...](const traced& t, const Y& y) -> Y {
    return transform_leaves([](const auto&, const auto& slope) { return slope; }, y, f(t, y, args...));
  };
}

/// A step of the classical method of Runge and Kutta (1901), of order 4.
template <class Y, class Slope>
constexpr Y runge_kutta_step(const Slope& slope, const traced& t, const traced& h, const Y& y) {
  const traced half = h / 2;
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
  template <class Y, class Slope>
  static constexpr std::array<Y, 7> slopes(const Slope& slope, const traced& t, const traced& h, const Y& y,
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

  static constexpr double attempts = 16384;

  /// The next step over this one, for the error over the tolerance.
  static constexpr traced step_factor(const traced& error_size) {
    return where(error_size < 1e10, min(max(0.9 * pow(error_size, -0.2), 0.2), 5.0), 0.2);
  }

  /// The steps from 0 to 1 that the tolerance asks for, as a sequence; a rejected one is 0. And whether they reach 1.
  template <class Y, class Slope>
  static constexpr auto step_lengths(program::builder& graph, const Slope& slope, const traced& t0,
                                     const traced& length, const Y& y0, const traced& tolerance) {
    const Y start = slope(t0, y0);
    const Y zero = as_nodes(graph, transform_leaves([](const auto&) { return 0.0; }, y0));
    // Along a straight line y changes by a hundredth of its size (Hairer, Norsett and Wanner 1993, II.4, simplified).
    const traced first = min(traced(1.0), 0.01 / (1e-8 + abs(length) * relative_size(start, y0, zero)));
    // Whether it is done, the place, the next step, y and its slope.
    const auto body = [&](const auto& carry, const auto&) {
      const auto& [done, place, wanted, y, at] = carry;
      const traced rest = 1 - place, step = where(wanted * 1.000001 >= rest, rest, wanted);
      const traced t = t0 + place * length, h = step * length;
      std::array<Y, 7> k = slopes(slope, t, h, y, at);
      const Y next = along(y, h, result, k);
      k[6] = slope(t + h, next);
      const traced error_size = relative_size(along(zero, h, error, k), y, next) / tolerance;
      const auto accepted = error_size <= 1;
      const traced arrived = where(accepted && step >= rest, 1.0, place + where(accepted, step, 0.0));
      // So short a step moves nothing.
      const traced lost = where(!accepted && step < 1e-14, 1.0, 0.0);
      const auto chosen = [&](const auto& old, const auto& other) { return where(accepted, other, old); };
      return std::pair(
          std::tuple(traced(max(lost, where(arrived >= 1, 1.0, 0.0))), arrived, step * step_factor(error_size),
                     transform_leaves(chosen, y, next), transform_leaves(chosen, at, k[6])),
          traced(where(accepted, step, 0.0)));
    };
    const auto [last, lengths] =
        record_loop<until_flag>(graph, body, std::tuple(traced(0.0), traced(0.0), first, y0, start), steps(attempts));
    return std::pair(std::get<1>(last), lengths);
  }
};

/// A step of Dormand and Prince's method, and the polynomial of order 4 that continues it between its ends, of which
/// these are the coefficients (E. Hairer, S. P. Norsett and G. Wanner, "Solving Ordinary Differential Equations I",
/// 1993, II.6, as in their program DOPRI5).
template <class Y>
struct continued_step {
  static constexpr std::array<double, 7> weights{-12715105075. / 11282082432,  0,
                                                 87487479700. / 32700410799,   -10690763975. / 1880347072,
                                                 701980252875. / 199316789632, -1453857185. / 822651844,
                                                 69997945. / 29380423};
  /// Where it begins, how long it is, y at its begin and its end, the slope at its end, and the coefficients.
  std::tuple<traced, traced, Y, Y, Y, std::array<Y, 3>> all;

  /// One of no length.
  static constexpr continued_step at(const traced& t, const Y& y, const Y& slope, const Y& zero) {
    return {{t, traced(0.0), y, y, slope, {zero, zero, zero}}};
  }
  template <class Slope>
  constexpr continued_step next(const Slope& slope, const traced& h, const Y& zero) const {
    const auto& [begin, length, first, y, at, coefficients] = all;
    const traced t = begin + length;
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
  constexpr Y value(const traced& t) const {
    const auto& [begin, length, y, end, at, coefficients] = all;
    const auto has_length = stop_gradient(length) > 0;
    const traced since = t - begin, x = since / where(has_length, length, 1.0);
    const auto value = [&](const auto& a, const auto& b, const auto& by, const auto& p, const auto& q, const auto& r) {
      return where(has_length, a + x * (b - a + (1 - x) * (p + x * (q + (1 - x) * r))), b + since * by);
    };
    return transform_leaves(value, y, end, at, coefficients[0], coefficients[1], coefficients[2]);
  }
};

template <class Y, class F, class... Args>
constexpr auto integrate_to_times(program::builder& graph, const F& f, const Y& y0, const traced& t0,
                                  const traced& times, const Args&... args) {
  const std::tuple<const Args&...> all(args...);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    using step_type = continued_step<Y>;
    const auto slope = slope_of<Y>(f, std::get<I>(all)...);
    const traced tolerance = std::get<sizeof...(I)>(all);
    const Y zero = as_nodes(graph, transform_leaves([](const auto&) { return 0.0; }, y0)), start = slope(t0, y0);
    // Up to time t: the steps that it takes, found behind a stop, and then these steps.
    const auto body = [&](const auto& carry, const traced& t) {
      const auto& [here, first_wanted] = carry;
      const auto search = [&](const auto& so_far, const auto&) {
        const auto& [done, end, wanted, y, at] = so_far;
        const auto arrived = end >= t;
        std::array<Y, 7> k = dormand_prince::slopes(slope, end, wanted, y, at);
        const Y next = along(y, wanted, dormand_prince::result, k);
        k[6] = slope(end + wanted, next);
        const traced error_size = relative_size(along(zero, wanted, dormand_prince::error, k), y, next) / tolerance;
        const auto accepted = error_size <= 1 && !arrived;
        const auto lost = !(error_size <= 1) && wanted <= 1e-14 * (1e-8 + abs(end));
        const traced step = where(accepted, wanted, 0.0), reached = end + step;
        const auto chosen = [&](const auto& old, const auto& other) { return where(accepted, other, old); };
        return std::pair(std::tuple(traced(where(arrived || lost || reached >= t, 1.0, 0.0)), reached,
                                    traced(where(arrived, wanted, wanted * dormand_prince::step_factor(error_size))),
                                    transform_leaves(chosen, y, next), transform_leaves(chosen, at, k[6])),
                         step);
      };
      const auto& [begin, length, y, end, at, coefficients] = here;
      const auto [found, lengths] =
          record_loop<until_flag>(graph, search, std::tuple(traced(0.0), traced(begin + length), first_wanted, end, at),
                                  steps(dormand_prince::attempts));
      const auto last = scan(
          [&](const auto& before, const traced& h) {
            const auto chosen = [&](const auto& old, const auto& other) { return where(h > 0, other, old); };
            return transform_leaves(chosen, before, step_type{before}.next(slope, h, zero).all);
          },
          here, stop_gradient(lengths));
      const auto valid = stop_gradient(std::get<1>(found)) >= t && t >= stop_gradient(std::get<0>(last));
      const traced factor = where(valid, 1.0, std::numeric_limits<double>::quiet_NaN());
      return std::pair(std::tuple(last, traced(stop_gradient(std::get<2>(found)))),
                       transform_leaves([&](const auto& number) { return factor * number; }, step_type{last}.value(t)));
    };
    const traced first = stop_gradient(traced(0.01 / (1e-8 + relative_size(start, y0, zero))));
    return scan(body, std::tuple(step_type::at(t0, y0, start, zero).all, first), times).second;
  }(std::make_index_sequence<sizeof...(Args) - 1>{});
}

template <class Memory, class Y, class F, class... Args>
constexpr Y integrate(const F& f, const Y& y0, const traced& t0, const traced& t1, const traced& n,
                      const Args&... args) {
  const traced h = (t1 - t0) / max(n, 1.0);
  const auto slope = slope_of<Y>(f, args...);
  return scan<Memory>([&](const Y& y, const traced& step) { return runge_kutta_step(slope, t0 + step * h, h, y); }, y0,
                      steps(n));
}
template <class Y, class F, class... Args>
constexpr Y integrate_adaptively(program::builder& graph, const F& f, const Y& y0, const traced& t0, const traced& t1,
                                 const Args&... args) {
  const std::tuple<const Args&...> all(args...);
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> Y {
    const auto slope = slope_of<Y>(f, std::get<I>(all)...);
    const traced tolerance = std::get<sizeof...(I)>(all), length = t1 - t0;
    const auto [reached, lengths] = dormand_prince::step_lengths(graph, slope, t0, length, y0, tolerance);
    // Parts of the whole are stopped, not lengths: derivatives by t0 and t1 are right.
    const auto [place, y] = scan(
        [&](const auto& carry, const traced& part) {
          const auto& [from, now] = carry;
          const traced t = t0 + from * length, h = part * length;
          const auto k = dormand_prince::slopes(slope, t, h, now, slope(t, now));
          return std::tuple(from + part, along(now, h, dormand_prince::result, k));
        },
        std::tuple(traced(0.0), y0), stop_gradient(lengths));
    // A factor: derivatives are no numbers either.
    const traced valid = where(stop_gradient(reached) >= 1, 1.0, std::numeric_limits<double>::quiet_NaN());
    return transform_leaves([&](const auto& number) { return valid * number; }, y);
  }(std::make_index_sequence<sizeof...(Args) - 1>{});
}

}  // namespace detail

/// The solution at t1 of y' = f(t, y, args...) with y(t0) = y0, in a traced function. `odeint(f, y0, t0, t1, n,
/// args...)` takes n steps of the classical Runge-Kutta method of order 4, whose error falls as 1 / n^4; the integer n
/// can be a run-time value. y0 is a number, or an array, tuple or adapted struct of numbers, and f returns the same. t1
/// may be before t0. Derivatives with respect to y0, t0, t1 and args are those of the steps taken, computed as for
/// `scan`: `odeint<checkpoints<c>>` stores c states, and `odeint<store_all>`, the default, all of them. Throws
/// `std::invalid_argument` if n is negative or not an integer.
///
/// `odeint<adaptive>(f, y0, t0, t1, args..., tolerance)` chooses the steps of the Dormand-Prince method of order 5. The
/// estimated error of a step, as the root mean square over the numbers of y, each divided by 1 + |y|, is at most the
/// tolerance; the error at t1 is about that, magnified by the equation. The division of t1 - t0 into steps is found
/// first, behind a stop, and derivatives are those of the method with these steps. If 16 384 attempts do not reach the
/// end, or no step is short enough, the result is NaN. Cost: each step runs twice; a gradient runs over the steps
/// found, including rejected ones.
template <class Method = store_all, class F, class Y, class T0, class T1, class N, class... Args>
constexpr auto odeint(const F& f, const Y& y0, const T0& t0, const T1& t1, const N& n, const Args&... args) {
  constexpr bool states = detail::is_traceable_result<Y>();
  static_assert(states,
                "tapeless: odeint(f, y0, t0, t1, n, args...) starts from a number, or an array, tuple or adapted "
                "struct of numbers");
  if constexpr (states) {
    program::builder* found = nullptr;
    const auto look_in = [&](const auto& e) { found = found ? found : detail::find_graph(e); };
    look_in(y0), look_in(t0), look_in(t1), look_in(n), (look_in(args), ...);
    program::builder& graph = *found;
    const auto start = detail::as_nodes(graph, y0);
    const traced from = detail::as_nodes(graph, t0), to = detail::as_nodes(graph, t1);
    if constexpr (std::is_same_v<Method, adaptive>)
      return detail::integrate_adaptively(graph, f, start, from, to, n, args...);
    else
      return detail::integrate<Method>(f, start, from, to, detail::as_nodes(graph, n), args...);
  } else
    return detail::no_result{};
}

/// The solution of y' = f(t, y, args...) with y(t0) = y0 at each of `times`, in a traced function, as a sequence for
/// another `scan`: `odeint_at(f, y0, t0, times, args..., tolerance)`. `times` is an ascending sequence from t0 on; if
/// it descends, values are NaN. Steps are those of `odeint<adaptive>`, with lengths chosen for the tolerance. Between
/// the ends of a step, y is the method's interpolating polynomial of order 4. Step lengths are found behind a stop;
/// derivatives with respect to y0, t0, the times and args are those of the method with these steps.
template <class F, class Y, class T0, class Tolerance, class... Args>
constexpr auto odeint_at(const F& f, const Y& y0, const T0& t0, const traced& times, const Tolerance& first,
                         const Args&... rest) {
  constexpr bool states = detail::is_traceable_result<Y>();
  static_assert(states,
                "tapeless: odeint_at(f, y0, t0, times, args..., tolerance) starts from a number, or an array, tuple or "
                "adapted struct of numbers");
  if constexpr (states) {
    program::builder& graph = *times.graph();
    return detail::integrate_to_times(graph, f, detail::as_nodes(graph, y0), detail::as_nodes(graph, t0), times, first,
                                      rest...);
  } else
    return detail::no_result{};
}

}  // namespace tapeless

#endif
