#pragma once

#include <tapeless/gradient/gradient.hpp>
#include <tapeless/inspect/report.hpp>

#include <array>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace program {

/// Two programs from one with stops: with `Values`, what the stops hold; else the output with each stop a variable of
/// its own, after the others.
template <class Source, bool Values>
struct frozen_at_stops {
  struct with_stops_apart : copied {
    growing_array<int>& stopped;
    constexpr int stop(builder& to, int operand) const {
      stopped.push_back(operand);
      return Values ? operand : append_variable(to, to.nodes[operand].sequence);
    }
  };
  static constexpr builder run() {
    constexpr graph_view from = Source::view();
    builder to(Values ? stage::evaluation : stage::formula);
    to.variables = {Source::value.variables.data(), from.variables};
    to.numbers = Source::value.numbers;
    growing_array<int> moved(from.size, -1), stopped;
    copy_nodes(to, from, growing_array<char>(from.size, 1), moved, with_stops_apart{{}, stopped});
    if (Values)
      to.outputs = stopped;
    else
      to.outputs.push_back(moved[Source::value.outputs[0]]);
    return to;
  }
};

}  // namespace program

/// One line of a `gradient_report`: the derivative and the difference quotient with respect to a variable.
template <class T>
struct gradient_check {
  std::string_view variable;
  T derivative, difference;
  /// |derivative - difference| / max(1, |derivative|)
  T error;
};

/// The result of `check_gradient`; it prints as a table.
template <class T, std::size_t N>
struct gradient_report : detail::report_of<std::array<gradient_check<T>, N>> {};

template <class Char, class Traits, class T, std::size_t N>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, const gradient_report<T, N>& r) {
  for (const auto& check : r.checks)
    stream << check.variable << ": derivative " << check.derivative << ", difference " << check.difference << ", error "
           << check.error << "\n";
  return stream;
}

namespace detail {

/// The inputs `given` with other numbers.
template <class T, std::size_t N, class Given>
struct moved_inputs {
  const std::array<T, N>& numbers;
  const Given& given;

  template <int I>
  constexpr auto variable() const {
    if constexpr (std::is_same_v<decltype(given.template variable<I>()), T>)
      return numbers[static_cast<std::size_t>(I)];
    else
      return given.template variable<I>();
  }
  template <int I>
  constexpr T number() const {
    return given.template number<I>();
  }
};

/// The derivatives by `Variables` of the program `Source`, which `Derivatives` computes, and the differences at its
/// inputs.
template <class Source, class Derivatives, class T, int... Variables, class Inputs, std::size_t N>
constexpr gradient_report<T, N> compare_with_differences(std::integer_sequence<int, Variables...>, const Inputs& inputs,
                                                         const std::array<std::string_view, N>& names) {
  const auto derivatives = read_array<T, N, 0>(scalar::evaluation<Derivatives, T>(inputs));
  using stopped = program::frozen<program::frozen_at_stops<Source, true>>;
  using open = program::finished<program::frozen<program::frozen_at_stops<Source, false>>, 0, 1>;
  constexpr std::size_t n = Source::value.variables.size(), stops = stopped::value.outputs.size();

  const scalar::evaluation<program::finished<stopped, 0, stops>, T> at_stops(inputs);
  const auto held = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<decltype(at_stops.template output<I>())...>(at_stops.template output<I>()...);
  }(std::make_index_sequence<stops>{});
  const extended_inputs<T, const Inputs&, decltype(held), static_cast<int>(n)> given{inputs, held};
  std::array<T, n + stops> point{};
  for_each_index<n + stops>([&](auto place) {
    if constexpr (constexpr int variable = static_cast<int>(place);
                  std::is_same_v<decltype(given.template variable<variable>()), T>)
      point[place] = given.template variable<variable>();
  });

  const auto value_at = [&](std::size_t which, const T& moved) {
    std::array<T, n + stops> there = point;
    there[which] = moved;
    return static_cast<T>(
        scalar::evaluation<open, T>(moved_inputs<T, n + stops, decltype(given)>{there, given}).template output<0>());
  };
  const auto check = [&](std::size_t which, std::string_view name, const T& derivative) {
    const auto magnitude = [](const T& number) { return number < T(0) ? T(-number) : number; };
    // Central differences at two steps, extrapolated: the error falls with the fourth power of the step.
    T step = math::sqrt(math::sqrt(std::numeric_limits<T>::epsilon())) *
             (magnitude(point[which]) < T(1) ? T(1) : magnitude(point[which]));
    step /= T(8);
    const auto quotient = [&](const T& offset) {
      return T((value_at(which, point[which] + offset) - value_at(which, point[which] - offset)) / (T(2) * offset));
    };
    const T difference = (T(4) * quotient(step / T(2)) - quotient(step)) / T(3);
    const T scale = magnitude(derivative) < T(1) ? T(1) : magnitude(derivative);
    return gradient_check<T>{name, derivative, difference, magnitude(derivative - difference) / scale};
  };
  std::size_t next = 0;
  const auto check_next = [&](int variable) {
    const std::size_t current = next++;
    // Nothing depends on a variable that the formula lacks.
    if (variable < 0) return gradient_check<T>{names[current], T(0), T(0), T(0)};
    return check(static_cast<std::size_t>(variable), names[current], derivatives[current]);
  };
  return {{check_next(Variables)...}};
}

}  // namespace detail

/// A check of a formula's gradient as a function of its variables' values; made by `check_gradient`.
template <class F, class Variables>
class formula_check : public called_with_values<formula_check<F, Variables>>,
                      public detail::verb_of_formulas<detail::gradient_verb, F, Variables, detail::no_seeds> {
 public:
  static constexpr bool over_tensors = false;

  constexpr explicit formula_check(const F& wrapped) : f_(wrapped) {}

  template <class Engine, class... Bindings>
  constexpr auto run(const Engine&, detail::new_result, const Bindings&... bindings) const {
    using T = detail::evaluation_type_t<F, Bindings...>;
    using Source = detail::lowered<F>;
    using derivatives = typename formula_check::template evaluated<Source>;
    const detail::bound_inputs<T, Source, typename detail::all_variables<Source>::type, Bindings...> inputs(
        f_, bindings...);
    return detail::compare_with_differences<Source, derivatives, T>(detail::indices_in_t<Source, Variables>{}, inputs,
                                                                    detail::names_of<Variables>::value);
  }

 private:
  [[no_unique_address]] F f_;
};

/// A check of a traced function's gradient as a function of its arguments; made by `check_gradient`.
template <class F, class Positions>
class function_check : public detail::called_with_arguments<function_check<F, Positions>, F, Positions> {
 public:
  static constexpr detail::verb does = detail::gradient_verb;
  static constexpr bool passes_integers = true;
  using policy = unconnected::structural_policy;
  template <class Layout, std::size_t... P>
  using variables = typename Layout::template variables<P...>;
  template <class Source, class Variables>
  using evaluated = typename detail::verb_program<does, Source, Variables>::type;
  template <class Source, std::size_t...>
  static constexpr bool fits(...) {
    return true;
  }

  template <std::size_t... P, class... Args>
  static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    static_assert(
        !program::has_stop_in_loop(detail::traced_program<F, Args...>::view()),
        "tapeless: check_gradient cannot hold what a stop inside a loop or a call has in each step; check the "
        "function without that stop, or compare_engines [TL211]");
    using T = detail::function_real_t<Args...>;
    using source = detail::traced_program<F, Args...>;
    using layout = detail::argument_layout<Args...>;
    using all = variables<layout, P...>;
    return detail::compare_with_differences<source, evaluated<source, all>, T>(
        all{}, detail::function_inputs<T, Args...>(args...), detail::names_of_places(layout{}, all{}));
  }
};

namespace detail {

template <verb V, class F, class Variables, class Policy, class Seeds>
constexpr auto check_of(const formula_verb<V, F, Variables, Policy, Seeds>& gradient) {
  return formula_check<F, Variables>(gradient.wrapped());
}
template <verb V, class F, class Positions, class Policy, class Seeds>
constexpr auto check_of(const function_verb<V, F, Positions, Policy, Seeds>&) {
  return function_check<F, Positions>{};
}

}  // namespace detail

/// Compares the gradient of a formula with finite differences: `check_gradient(f)(x = 1.0)` returns a report that can
/// be printed. The values behind stops are held fixed while the variables move, as the derivative requires; a stop in
/// the body of a loop or in a `call`, which has another value in each step, is refused. The differences are accurate to
/// about three quarters of the digits of the number type, and are not meaningful at kinks. `wrt(...)` and
/// `stop_gradients(...)` work as for `gradient`. For a function, `check_gradient(f)(1.0, params)`; a line of the report
/// gives the place of a number in the arguments, such as "argument 1.weights[2]".
template <class F, class... Options>
constexpr auto check_gradient(const F& f, const Options&... options) {
  static_assert(detail::takes_operand<detail::gradient_verb, F, Options...>,
                "tapeless: check_gradient takes a formula and variables, or a lambda or another function object and "
                "positions, wrt<0>; check each formula of outputs(...) by itself [TL210]");
  const auto verb = detail::make_verb<detail::gradient_verb>(f, options...);
  if constexpr (detail::is_reported<std::remove_const_t<decltype(verb)>>)
    return verb;
  else
    return detail::check_of(verb);
}

}  // namespace tapeless
