#ifndef TAPELESS_INSPECT_SCHEDULE_HPP
#define TAPELESS_INSPECT_SCHEDULE_HPP

#include <tapeless/gradient/tensor.hpp>

#include <cstddef>
#include <string>

namespace tapeless {

namespace detail {

/// The loops of the plan `S` as text, a kernel a paragraph.
template <class S>
std::string schedule_text() {
  std::string out;
  const auto axes_text = [](program::axis_set axes) {
    std::string text;
    for (; axes; axes &= axes - 1)
      text += (text.empty() ? "" : ", ") + std::string(1, static_cast<char>('i' + program::first_axis(axes)));
    return "(" + text + ")";
  };
  const auto name = [](int i) {
    const program::node& n = S::nodes[static_cast<std::size_t>(i)];
    const std::string index = std::to_string(i);
    switch (n.kind) {
      case program::node_kind::variable:
        if (n.leaf < 0) return (n.axes ? "index " : "extent ") + std::string(1, static_cast<char>('i' - 1 - n.leaf));
        return std::string(S::program.variables[static_cast<std::size_t>(n.leaf)]);
      case program::node_kind::number: return "number " + index;
      case program::node_kind::constant: return "constant " + index;
      default: return "%" + index;
    }
  };
  for (std::size_t k = 0; k < S::kernels.size(); ++k) {
    const program::kernel& kernel = S::kernels[k];
    if (k == 0 || S::kernels[k - 1].group != kernel.group) {
      const std::size_t group = static_cast<std::size_t>(kernel.group);
      out += kernel.axes == 0 ? "once\n"
                              : std::string("along ") + static_cast<char>('i' + S::group_axis(group)) +
                                    (S::is_blocked(group) ? ", in blocks\n" : "\n");
    }
    out += "  loop " + axes_text(kernel.axes) + "\n";
    for (int s = kernel.first_step; s < kernel.end_step; ++s) {
      const program::step& st = S::steps[static_cast<std::size_t>(s)];
      const program::node& n = S::nodes[static_cast<std::size_t>(st.node)];
      std::string operands;
      for (int j = 0; j < n.count; ++j)
        operands += (j ? ", " : "") + name(S::edges[static_cast<std::size_t>(n.first + j)]);
      const std::string call =
          n.operation ? name(st.node) + " = " + std::string(n.operation->name) + "(" + operands + ")" : "";
      switch (st.kind) {
        case program::step_kind::load:
          if (n.kind != program::node_kind::constant)
            out += "    read " + name(st.node) + " " + axes_text(n.axes) + "\n";
          break;
        case program::step_kind::compute: out += "    " + call + "\n"; break;
        case program::step_kind::reduce: out += "    reduce " + call + " over " + axes_text(n.reduced) + "\n"; break;
        case program::step_kind::move: out += "    move " + call + "\n"; break;
        case program::step_kind::store: out += "    keep " + name(st.node) + "\n"; break;
        case program::step_kind::output:
          out += "    write output " + std::to_string(st.output) + " = " + name(st.node) + "\n";
          break;
      }
    }
  }
  return out;
}

}  // namespace detail

}  // namespace tapeless

#endif
