#ifndef TAPELESS_INSPECT_DOT_HPP
#define TAPELESS_INSPECT_DOT_HPP

#include <tapeless/gradient/evaluate.hpp>
#include <tapeless/inspect/text.hpp>

#include <string>

namespace tapeless {

/// The formula's program as a graph in the DOT language of Graphviz, drawn from the variables up. A stop is a cut, a
/// dashed red edge; what lies behind stops and conditions only, so that no derivative flows there, is grey.
template <Expression F>
std::string dot(const F& f) {
  using source = detail::lowered<F>;
  constexpr const auto& p = source::value;
  std::array<int, p.variables.size()> variables{};
  for (std::size_t i = 0; i < variables.size(); ++i) variables[i] = static_cast<int>(i);
  const auto active = program::active_nodes(source::view(), variables, p.outputs);
  const auto numbers = detail::bound_inputs<double, source, wrt_variables<>>(f).numbers();

  std::string out = "digraph formula {\n  rankdir=BT;\n  node [shape=box, style=rounded];\n";
  const auto name = [&](int node) {
    out += 'n';
    detail::write_number(out, node);
  };
  for (int i = 0; i < static_cast<int>(p.nodes.size()); ++i) {
    const program::node& n = p[i];
    out += "  ";
    name(i);
    out += " [label=\"";
    switch (n.kind) {
      case program::node_kind::variable: out += p.variables[static_cast<std::size_t>(n.leaf)]; break;
      case program::node_kind::number: detail::write_number(out, numbers[static_cast<std::size_t>(n.leaf)]); break;
      case program::node_kind::constant: detail::write_number(out, p.constant(i).template as<double>()); break;
      case program::node_kind::stop: out += "stop_gradient"; break;
      case program::node_kind::apply: out += n.operation->name; break;
    }
    out += n.kind == program::node_kind::stop ? "\", shape=octagon, color=red];\n"
           : active[i]                        ? "\"];\n"
                                              : "\", color=grey, fontcolor=grey];\n";
    for (int j = 0; j < n.count; ++j) {
      const int operand = p.operand(static_cast<std::size_t>(i), j);
      out += "  ";
      name(operand);
      out += " -> ";
      name(i);
      out += n.kind == program::node_kind::stop ? " [style=dashed, color=red];\n"
             : active[operand] && active[i]     ? ";\n"
                                                : " [color=grey];\n";
    }
  }
  return out + "}\n";
}

/// Writes `dot(f)` to a stream.
template <class Char, class Traits, Expression F>
void dot(std::basic_ostream<Char, Traits>& stream, const F& f) {
  stream << dot(f).c_str();
}

}  // namespace tapeless

#endif
