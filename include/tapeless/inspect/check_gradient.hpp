#pragma once

#include <tapeless/gradient/verbs.hpp>
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

inline constexpr verb checked_gradient_verb{.what = derives::gradient, .checked = true};

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
  const auto compare = [&](std::size_t which, std::string_view name, const T& derivative) {
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
    return compare(static_cast<std::size_t>(variable), names[current], derivatives[current]);
  };
  return {{check_next(Variables)...}};
}

}  // namespace detail

namespace detail {

/// In the place of an execution policy: computes derivatives, and differences.
struct by_differences {};
template <>
struct engine_of<by_differences> {
  static constexpr bool is_policy = true;
  using compared = by_differences;
  constexpr explicit engine_of(const by_differences&) {}

  template <verb, class Source, class Variables, class P, class T, int, class Inputs>
  static constexpr auto compare_verb(const Inputs& inputs, const auto&) {
    using names = names_of<Variables>;
    return compare_with_differences<Source, P, T>(typename names::template indices<Source>{}, inputs, names::value);
  }
};

/// A check of a verb's derivatives; made by `check_gradient`.
template <class Verb>
class gradient_comparison {
  [[no_unique_address]] Verb verb_;

 public:
  using inspected = Verb;
  constexpr explicit gradient_comparison(const Verb& verb) : verb_(verb) {}
  template <class... Args>
  constexpr auto operator()(const Args&... args) const {
    return verb_(by_differences{}, args...);
  }
};

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
  const auto verb = detail::make_verb<detail::checked_gradient_verb>(f, options...);
  if constexpr (detail::is_reported<std::remove_const_t<decltype(verb)>>)
    return verb;
  else
    return detail::gradient_comparison(verb);
}

}  // namespace tapeless
