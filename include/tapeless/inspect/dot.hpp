#pragma once

#include <tapeless/gradient/formula/formula_verb.hpp>
#include <tapeless/gradient/function/argument_place.hpp>
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/options.hpp>
#include <tapeless/inspect/text.hpp>

#include <array>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>

namespace tapeless {

namespace detail {

inline void write_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
}

inline void write_constant(std::string& out, const program::constant_value& constant) {
  if (!constant.exact()) return write_number(out, constant.literal);
  write_number(out, constant.numerator);
  if (constant.denominator != 1) out += '/', write_number(out, constant.denominator);
}

/// The program `Source` as a graph, given the names of its variables and the formula's numbers.
template <class Source, class Names, class Numbers>
std::string draw(const Names& names, const Numbers& numbers) {
  constexpr const auto& p = Source::value;
  std::array<int, p.variables.size()> variables{};
  for (std::size_t i = 0; i < variables.size(); ++i) variables[i] = static_cast<int>(i);
  const auto active = program::active_nodes(Source::view(), variables, p.outputs);

  std::string out = "digraph formula {\n  rankdir=BT;\n  node [shape=box, style=rounded];\n";
  const auto name = [&](int node) {
    out += 'n';
    write_number(out, node);
  };
  for (int i = 0; i < static_cast<int>(p.nodes.size()); ++i) {
    const program::node& n = p[i];
    const std::size_t leaf = static_cast<std::size_t>(n.leaf);
    const bool stop = n.kind == program::node_kind::stop;
    out += "  ";
    name(i);
    out += " [label=\"";
    switch (n.kind) {
      case program::node_kind::variable: write_escaped(out, names[leaf]); break;
      case program::node_kind::number: write_number(out, numbers[leaf]); break;
      case program::node_kind::constant: write_constant(out, p.constant(i)); break;
      case program::node_kind::stop: out += "stop_gradient"; break;
      case program::node_kind::apply: write_escaped(out, n.operation->name); break;
      // Of tensors, whose programs are not drawn.
      case program::node_kind::extent:
      case program::node_kind::index: break;
    }
    out += stop ? "\", shape=octagon, color=red];\n" : active[i] ? "\"];\n" : "\", color=grey, fontcolor=grey];\n";
    for (int j = 0; j < n.count; ++j) {
      const int operand = p.operand(static_cast<std::size_t>(i), j);
      out += "  ";
      name(operand);
      out += " -> ";
      name(i);
      out += stop ? " [style=dashed, color=red];\n" : active[operand] && active[i] ? ";\n" : " [color=grey];\n";
    }
  }
  return out + "}\n";
}

template <class T>
concept Drawable = has_names<T>;

}  // namespace detail

/// The program of a formula or of `outputs(...)` as a graph in the DOT language of Graphviz, with the variables at the
/// bottom. A stop is an octagon behind dashed red edges. Parts that lie only behind stops and conditions, which no
/// derivative reaches, are grey.
template <detail::Drawable F>
std::string dot(const F& f) {
  using source = detail::lowered<F>;
  return detail::draw<source>(source::value.variables,
                              detail::bound_inputs<double, source, wrt_variables<>>(f).numbers());
}

template <Function F>
std::string dot(const F&) {
  static_assert(detail::always_false<F>,
                "tapeless: of a function, say for which arguments: dot<double, double>(f) [TL217]");
  return {};
}

/// The same for a function with arguments of the given types: `dot<double, std::array<double, 2>>(f)`.
template <class Argument, class... Arguments, Function F>
std::string dot(const F&) {
  using source = detail::traced_program<F, Argument, Arguments...>;
  using layout = detail::argument_layout<std::remove_cvref_t<Argument>, std::remove_cvref_t<Arguments>...>;
  using all = std::make_integer_sequence<int, static_cast<int>(layout::size)>;
  return detail::draw<source>(detail::names_of_places(layout{}, all{}), std::array<double, 0>{});
}

/// Writes `dot(f)` to a stream.
template <class Char, class Traits, detail::Drawable F>
void dot(std::basic_ostream<Char, Traits>& stream, const F& f) {
  stream << dot(f).c_str();
}

}  // namespace tapeless
