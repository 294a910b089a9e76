#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/gradient/batched.hpp>
#include <tapeless/gradient/tensor/tensor_function.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>

namespace tapeless {

/// What the loops of a schedule hold; what is done once, for numbers, does not count.
struct schedule_counts {
  int loops = 0;       ///< nests of loops
  int reads = 0;       ///< tensors read, by each nest
  int operations = 0;  ///< operations an iteration
  int reductions = 0;  ///< reductions
  int saves = 0;       ///< tensors kept for later loops
  int writes = 0;      ///< tensors written as results
  int moves = 0;       ///< copies of elements: slice, take, reshape, concatenate, one_hot

  bool operator==(const schedule_counts&) const = default;
};

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
      case program::node_kind::extent: return std::string("extent ") + static_cast<char>('i' + n.leaf);
      case program::node_kind::index: return std::string("index ") + static_cast<char>('i' + n.leaf);
      case program::node_kind::variable: {
        const std::string_view given = S::program.variables[static_cast<std::size_t>(n.leaf)];
        return given.empty() ? "seed " + index : std::string(given);
      }
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
      const std::string call = n.kind == program::node_kind::apply
                                   ? name(st.node) + " = " + std::string(n.operation->name) + "(" + operands + ")"
                                   : "";
      const int output = S::output_of(st.node);
      const std::string in_place = output < 0 ? "" : " as output " + std::to_string(output);
      switch (st.kind) {
        case program::step_kind::load:
          if (n.kind != program::node_kind::constant)
            out += "    read " + name(st.node) + " " + axes_text(n.axes) + "\n";
          break;
        case program::step_kind::compute: out += "    " + call + "\n"; break;
        case program::step_kind::reduce:
          out += "    reduce " + call + " over " + axes_text(n.reduced) + in_place + "\n";
          break;
        case program::step_kind::move:
          out += (S::lies_in_operand(st.node) ? "    point to " : "    move ") + call + in_place + "\n";
          break;
        case program::step_kind::store: out += "    keep " + name(st.node) + in_place + "\n"; break;
        case program::step_kind::output:
          out += "    write output " + std::to_string(st.output) + " = " + name(st.node) + "\n";
          break;
      }
    }
  }
  return out;
}

template <class S>
constexpr schedule_counts count_schedule() {
  schedule_counts result{};
  result.loops = static_cast<int>(S::kernels.size());
  for (std::size_t k = 0; k < S::kernels.size(); ++k) {
    const bool once = S::kernels[k].axes == 0;
    if (once) --result.loops;
    for (int s = S::kernels[k].first_step; s < S::kernels[k].end_step; ++s) {
      const program::step& st = S::steps[static_cast<std::size_t>(s)];
      const program::node& n = S::nodes[static_cast<std::size_t>(st.node)];
      if (once && st.kind != program::step_kind::move) continue;
      const bool in_place = S::output_of(st.node) >= 0;
      switch (st.kind) {
        case program::step_kind::load: result.reads += n.axes != 0; break;
        case program::step_kind::compute: ++result.operations; break;
        case program::step_kind::reduce: ++result.reductions, result.writes += in_place; break;
        case program::step_kind::store: ++(in_place ? result.writes : result.saves); break;
        case program::step_kind::output: ++result.writes; break;
        case program::step_kind::move: result.moves += !S::lies_in_operand(st.node), result.writes += in_place; break;
      }
    }
  }
  return result;
}

}  // namespace detail

/// The loops of a call, known before it runs: `.text()` describes what each one reads, computes, stores and writes;
/// `counts` counts them at compile time.
template <class S>
struct printed_schedule {
  static constexpr schedule_counts counts = detail::count_schedule<S>();
  static std::string text() { return detail::schedule_text<S>(); }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& stream,
                                                      const printed_schedule&) {
    return stream << text().c_str();
  }
};

/// The schedule of a formula or a function over tensors, of its value, gradient or directional derivative:
/// `std::cout << schedule(step)(X = data, w = weights)`, `schedule(gradient(f))(x, y)`. Only the types of the arguments
/// matter.
template <class Verb>
constexpr auto schedule(const Verb&) {
  return []<class... Args>(const Args&...) {
    using verb = decltype(detail::as_verb(std::declval<const Verb&>()));
    using results = typename detail::call_over_tensors<verb, Args...>::results;
    constexpr bool has_one = requires { typename results::call::S; };
    static_assert(has_one,
                  "tapeless: schedule shows the loops of a value, gradient or directional derivative over tensors; "
                  "cost(...) counts operations on numbers [TL246]");
    if constexpr (has_one)
      return printed_schedule<typename results::call::S>();
    else
      return detail::no_result();
  };
}

}  // namespace tapeless
