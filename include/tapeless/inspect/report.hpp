#pragma once

#include <tapeless/gradient/formula/lowered_formula.hpp>
#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/math/infinity.hpp>
#include <tapeless/program/graph/builder.hpp>

#include <array>
#include <charconv>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What is reported of verbs, and how.
namespace tapeless {

namespace detail {

/// The names of what is derived by, and which variables of the program `Source` it is.
template <class Variables>
struct names_of;
template <class... Vs>
struct names_of<wrt_variables<Vs...>> {
  static constexpr std::array<std::string_view, sizeof...(Vs)> value{Vs::name...};
  template <class Source>
  using indices = indices_in_t<Source, wrt_variables<Vs...>>;
};
template <class Layout, class Variables>
struct names_of<std::pair<Layout, Variables>> {
  static constexpr auto value = names_of_places(Layout{}, Variables{});
  template <class>
  using indices = Variables;
};

/// What a report says of `checks`, in each of which is an `error`.
template <class Checks>
struct report_of {
  Checks checks;

  /// NaN if an error is.
  constexpr auto largest_error() const {
    decltype(Checks::value_type::error) largest{};
    for (const auto& check : checks)
      if (largest == largest && !(check.error <= largest)) largest = check.error;
    return largest;
  }
  constexpr bool passed(const decltype(Checks::value_type::error)& tolerance) const {
    return largest_error() <= tolerance;
  }
};

}  // namespace detail

/// One line of an `engine_report`: an output, and its element where the two computations differ most.
struct engine_check {
  std::string output;
  std::size_t element = 0;
  double fast = 0, plain = 0;
  /// |fast - plain|, and that over max(1, the largest magnitude of the output). Infinite where one is infinite or NaN
  /// and the other is not the same.
  double difference = 0, scale = 1, error = 0;
  /// The node that defines the output in the program as it was recorded; and whether the rewritten program, computed
  /// node by node, gives the plain result: then the fault is in how it runs, else in a rewrite.
  std::string node;
  bool rewritten_agrees = true;
};

/// The result of `compare_engines`; it prints as a table.
struct engine_report : detail::report_of<std::vector<engine_check>> {
  /// Differences up to here are not looked into: sums of floats in another order have them.
  static constexpr double rounding = 1e-5;

  /// The first output that differs by more; null if none does.
  const engine_check* first_difference(double tolerance) const {
    for (const engine_check& check : checks)
      if (!(check.error <= tolerance)) return &check;
    return nullptr;
  }
};

template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream, const engine_report& r) {
  for (const engine_check& check : r.checks) {
    stream << check.output.c_str() << ", element " << check.element << ": fast " << check.fast << ", plain "
           << check.plain << ", error " << check.error << " of scale " << check.scale << "\n";
    if (!(check.error <= engine_report::rounding))
      stream << "  " << check.node.c_str()
             << (check.rewritten_agrees ? "\n  the rewritten program, node by node, gives the plain result\n"
                                        : "\n  the rewritten program, node by node, does not give the plain result\n");
  }
  return stream;
}

namespace detail {

/// A number in as few digits as tell it.
template <class T>
std::string number_text(const T& number) {
  char digits[64];
  if (number != number) return "nan";
  return {digits, std::to_chars(digits, digits + sizeof digits, static_cast<double>(number)).ptr};
}

/// How operations read that are no functions to a reader: a name, and what a digit is an operand in.
inline constexpr std::string_view notations[][2] = {{"add", "0 + 1"},
                                                    {"subtract", "0 - 1"},
                                                    {"negate", "-0"},
                                                    {"multiply", "0 * 1"},
                                                    {"divide", "0 / 1"},
                                                    {"times_inverse", "0 / 1"},
                                                    {"uniform_quotient", "0 / 1"},
                                                    {"multiply_add", "0 * 1 + 2"},
                                                    {"multiply_subtract", "0 * 1 - 2"},
                                                    {"subtract_product", "2 - 0 * 1"},
                                                    {"less", "0 < 1"},
                                                    {"less_equal", "0 <= 1"},
                                                    {"greater", "0 > 1"},
                                                    {"greater_equal", "0 >= 1"},
                                                    {"output", "0"}};

/// Writes nodes as they read.
struct node_writer {
  program::graph_view graph;
  std::span<const std::string_view> names;
  /// The numbers of the formula, as far as they are known.
  std::vector<double> numbers = {};

  /// A node down to operands of operands; in parentheses if it is `inside` another and has an infix symbol.
  std::string operator()(int index, int depth = 3, bool inside = false) const {
    const program::node& n = graph.nodes[index];
    const std::size_t leaf = static_cast<std::size_t>(n.leaf);
    const auto numbered = [&](const char* what) { return what + std::to_string(n.leaf); };
    switch (n.kind) {
      case program::node_kind::variable:
        return leaf >= names.size() || names[leaf].empty() ? numbered("variable ") : std::string(names[leaf]);
      case program::node_kind::extent: return numbered("extent ");
      case program::node_kind::index: return numbered("index ");
      case program::node_kind::number: return leaf < numbers.size() ? number_text(numbers[leaf]) : numbered("number ");
      case program::node_kind::constant: return number_text(graph.constants[n.leaf].as<double>());
      default: break;
    }
    std::string text(n.kind == program::node_kind::stop ? "stop_gradient" : n.operation->name);
    if (depth == 0 || (n.operation && n.operation->is_loop())) return text + "(...)";
    const auto operand = [&](int j, bool in) { return (*this)(graph.edges[n.first + j], depth - 1, in); };
    for (const auto& [name, notation] : notations)
      if (text == name && !n.reduced) {
        const bool infix = notation.size() > 1;
        text.clear();
        for (const char c : notation)
          text += c >= '0' && c <= '2' ? operand(c - '0', infix || inside) : std::string(1, c);
        return infix && inside ? "(" + text + ")" : text;
      }
    for (int j = 0; j < n.count; ++j) text += (j ? ", " : "(") + operand(j, false);
    return n.count ? text + ")" : text;
  }
};
template <class P>
std::string output_text(std::size_t output) {
  const node_writer text{P::view(), {P::value.variables.data(), P::value.variables.size()}};
  return "node " + std::to_string(P::value.output(output)) + " = " + text(P::value.output(output));
}

/// The elements of each output in order.
template <class T>
using elements_of_outputs = std::vector<std::vector<T>>;

/// Compares the elements of an output.
template <class T>
engine_check compare_elements(const std::vector<T>& fast, const std::vector<T>& plain) {
  constexpr double infinity = infinity_of<double>();
  engine_check found;
  found.difference = -1;
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const T computed = k < fast.size() ? fast[k] : std::numeric_limits<T>::quiet_NaN(), right = plain[k];
    const double magnitude = static_cast<double>(right < T(0) ? T(-right) : right);
    const double apart = static_cast<double>(computed < right ? T(right - computed) : T(computed - right));
    const bool same = computed == right || (computed != computed && right != right);
    const double difference = same ? 0.0 : apart < infinity ? apart : infinity;
    if (magnitude > found.scale && magnitude < infinity) found.scale = magnitude;
    if (difference > found.difference)
      found.difference = difference, found.element = k, found.fast = static_cast<double>(computed),
      found.plain = static_cast<double>(right);
  }
  found.difference = plain.empty() ? 0.0 : found.difference;
  found.error = found.difference / found.scale;
  return found;
}

/// What output number `k` of the verb `V` is, of an operand with `values` outputs that is derived by `names`; a Hessian
/// is its upper triangle, column by column, or `Whole`, row by row.
template <verb V, bool Whole>
std::string name_of_output(std::size_t k, std::size_t values, std::span<const std::string_view> names) {
  const auto numbered = [&](const char* what, std::size_t which) {
    return values == 1 ? std::string(what) : what + (" " + std::to_string(which));
  };
  const std::size_t n = names.size();
  const auto by = [&](std::size_t i) { return " by " + std::string(names[i % n]); };
  if (V.with_value || V.what == derives::nothing) {
    if (k < values) return numbered("value", k);
    k -= values;
  }
  if (V.what == derives::tangent) return numbered("tangent", k);
  if (V.is_sparse() || n == 0) return "entry " + std::to_string(k);
  if (V.what == derives::jacobian) return numbered("derivative of value", k / n) + by(k);
  if (V.what == derives::hessian && V.with_value && k < n) return "derivative" + by(k);
  if (V.what == derives::hessian) {
    if (V.with_value) k -= n;
    std::size_t column = 0;
    while (triangle(column + 1) <= k) ++column;
    return "second derivative" + (Whole ? by(k / n) + " and" + by(k) : by(k - triangle(column)) + " and" + by(column));
  }
  return (V.what == derives::hessian_product ? "product" : "derivative") + by(k);
}

}  // namespace detail

}  // namespace tapeless
