#pragma once

#include <tapeless/emit/writer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tapeless::detail {

/// Writes a program over tensors: each kernel of its plan as a nest of loops, and the kernels of a group in the loop
/// over the axis that they share. What one kernel leaves for the next is a variable, where it is a number, or else in
/// the caller's memory.
class c_nest_writer : c_writer {
  using axis_set = program::axis_set;
  const c_nests& nests_;
  c_frame all_{f_.source, ""};
  /// The nodes that are variables of C here, those of inner blocks last.
  program::growing_array<char> declared_{f_.source->view.size, 0};
  program::growing_array<int> in_order_;
  /// Along which axis the kernels that are written are one step each.
  axis_set along_ = 0;

  constexpr const program::node& at(int i) const { return all_.at(i); }
  constexpr bool is_apply(int i) const { return at(i).kind == program::node_kind::apply; }
  constexpr const program::buffer* buffer_of(int i) const {
    for (const program::buffer& b : nests_.buffers)
      if (b.node == i) return &b;
    return nullptr;
  }
  constexpr int group_of(const program::buffer& b) const {
    return nests_.kernels[static_cast<std::size_t>(b.kernel)].group;
  }
  /// The axes along which a buffer has more than one element: it holds a step of its group, or all of them.
  constexpr axis_set axes_of(const program::buffer& b) const {
    const axis_set group = program::outermost(nests_.kernels[static_cast<std::size_t>(b.kernel)].axes);
    return b.block ? b.axes & ~group : b.axes;
  }
  constexpr bool is_variable_of_c(const program::buffer& b) const { return b.output < 0 && axes_of(b) == 0; }

  static constexpr emitted_text index(int axis) { return emitted_text("i") + axis; }
  /// Opens a loop over an axis, whose index has that number or another.
  constexpr void loop(int axis) { loop(axis, axis); }
  constexpr void loop(int number, int axis) {
    const emitted_text i = index(number);
    open("for (size_t " + i + " = 0U; " + i + " < " + extent(axis) + "; ++" + i + ") {");
  }
  constexpr void loops(axis_set axes) {
    for (; axes; axes &= axes - 1) loop(program::first_axis(axes));
  }
  constexpr void close_all(int count) {
    while (count-- > 0) close();
  }

  /// Where an element lies, row by row of axes, at the index `at(position, axis)`.
  template <class Index>
  constexpr emitted_text offset(const int* axes, int rank, const Index& at) {
    emitted_text out;
    for (int k = 0; k < rank; ++k) {
      if (axes[k] < 0) continue;
      if (!out.empty()) out = "(" + out + " * " + extent(axes[k]) + ") + ";
      const emitted_text i = at(k, axes[k]);
      out += i;
      if (out.view().size() > i.view().size() && k + 1 < rank) out = "(" + out + ")";
    }
    return out.empty() ? emitted_text("0U") : out;
  }
  constexpr emitted_text in_scratch(int number, const emitted_text& offset) const {
    return emitted_text("s") + number + "[" + (kernel_ && offset != "0U" ? times_count(offset) : offset) + "]";
  }
  /// An element of the memory of output number `o`: the result's, or of what is added to it later.
  constexpr emitted_text in_output(int o, const emitted_text& offset) const {
    for (const c_result& r : f_.results)
      if (r.first == o && r.count > 0) return element(name_of_result(r), offset);
    return in_scratch(f_.source->view.size + o, offset);
  }
  template <class Index>
  constexpr emitted_text output_at(int o, const Index& at) {
    const program::tensor_access& access = nests_.outputs[static_cast<std::size_t>(o)];
    return in_output(o, offset(access.axes.data(), access.rank, at));
  }
  /// An element of a node as a number; of a buffer what is assigned to.
  template <class Index>
  constexpr emitted_text element_at(int i, const Index& at) {
    const program::node& n = this->at(i);
    const program::tensor_access* access = program::is_read(n.kind) ? &f_.source->view.accesses[n.access] : nullptr;
    if (n.kind == program::node_kind::extent) return "(" + type() + ")" + extent(n.leaf);
    if (n.kind == program::node_kind::index) return "(" + type() + ")" + at(0, access->axes[0]);
    if (access && (!parameter_of(n.leaf).is_number || kernel_)) {
      const c_parameter& p = use(n.leaf);
      return element(name_of(p),
                     p.count > 1 ? c_number_of(n.leaf - p.first) : offset(access->axes.data(), access->rank, at));
    }
    const program::buffer* const b = buffer_of(i);
    if (!b || is_variable_of_c(*b)) return number(all_, i);
    if (b->output >= 0) return output_at(b->output, at);
    program::growing_array<int> axes;
    for (axis_set left = axes_of(*b); left; left &= left - 1) axes.push_back(program::first_axis(left));
    return in_scratch(i, offset(axes.data, axes.size, at));
  }
  /// That of the loops around.
  constexpr emitted_text element_here(int i) {
    return element_at(i, [](int, int axis) { return index(axis); });
  }

  constexpr void declare(int i) { declared_[i] = 1, in_order_.push_back(i); }
  constexpr void leave_to(int count) {
    while (in_order_.size > count) declared_[in_order_[--in_order_.size]] = 0;
  }
  constexpr emitted_text type_of(int i) const { return at(i).condition ? emitted_text("bool") : type(); }

  /// What a reduction is over no elements, and with one more: `$` is what it is before, `&` the element.
  struct reduction {
    const program::operation_info* operation;
    std::string_view neutral, text;
  };
  static constexpr reduction reductions[] = {
      {&program::info<operation::Sum>, "0", "+= &"},
      {&program::info<operation::Prod>, "1", "*= &"},
      {&program::info<operation::NonzeroProd>, "1", "*= &"},
      {&program::info<operation::AMax>, "-INFINITY", "= (isnan($) || ($ > &)) ? $ : &"},
      {&program::info<operation::AMin>, "INFINITY", "= (isnan($) || ($ < &)) ? $ : &"},
      {&program::info<operation::Any>, "0", ""},
  };
  static constexpr const reduction* reduction_of(const program::operation_info& operation) {
    for (const reduction& each : reductions)
      if (*each.operation == operation) return &each;
    return nullptr;
  }
  constexpr emitted_text neutral_of(int i) const {
    const std::string_view text = reduction_of(*at(i).operation)->neutral;
    if (at(i).condition && is_variable_of_c(*buffer_of(i))) return "false";
    return text == "0" ? literal(0) : text == "1" ? literal(1) : emitted_text(text);
  }
  constexpr void reduce(int i) {
    const int from = all_.operand(i, 0);
    if (at(i).condition) {
      uses_bool_ = true;
      const emitted_text to = element_target(i);
      if (is_variable_of_c(*buffer_of(i)))
        line(to + " = " + to + " || " + condition(all_, from) + ";");
      else
        line(to + " = ((" + to + " > " + literal(0) + ") || " + condition(all_, from) + ") ? " + literal(1) + " : " +
             literal(0) + ";");
      return;
    }
    const emitted_text to = element_target(i), element = number(all_, from);
    emitted_text out = to + " ";
    for (const char c : reduction_of(*at(i).operation)->text)
      if (c == '$')
        out += to;
      else if (c == '&')
        out += element;
      else
        out += c;
    line(out + ";");
  }
  constexpr emitted_text element_target(int i) {
    return is_variable_of_c(*buffer_of(i)) ? all_.name('v', i) : element_here(i);
  }
  /// Gives what a group reduces its first values: of what lasts for all of the group, or for a step.
  constexpr void begin_reductions(int group, bool block) {
    for (const program::buffer& b : nests_.buffers) {
      if (!b.reduction || b.block != block || group_of(b) != group || !all_.read[b.node]) continue;
      if (is_variable_of_c(b)) {
        uses_bool_ = uses_bool_ || at(b.node).condition;
        line(type_of(b.node) + " " + all_.name('v', b.node) + " = " + neutral_of(b.node) + ";");
        declare(b.node);
      } else {
        loops(axes_of(b));
        line(element_here(b.node) + " = " + neutral_of(b.node) + ";");
        close_all(program::count_axes(axes_of(b)));
      }
    }
  }

  /// A node that a step reads or computes, as a variable of C unless it is one, or a literal.
  constexpr void define(const program::step& s) {
    const program::node& n = at(s.node);
    if (declared_[s.node] || (is_apply(s.node) && (n.count == 0 || n.operation->pair))) return;
    if (s.kind == program::step_kind::compute) {
      operation(all_, s.node);
    } else {
      const program::buffer* const b = buffer_of(s.node);
      const bool by_value = program::is_read(n.kind)
                                ? n.kind == program::node_kind::variable && parameter_of(n.leaf).is_number && !kernel_
                                : !b || is_variable_of_c(*b);
      if (by_value) return;
      const emitted_text from = element_here(s.node);
      uses_bool_ = uses_bool_ || n.condition;
      line("const " + type_of(s.node) + " " + all_.name('v', s.node) + " = " + from +
           (n.condition ? " > " + literal(0) : emitted_text()) + ";");
    }
    declare(s.node);
  }
  constexpr void finish(const program::step& s) {
    const emitted_text value = s.kind == program::step_kind::reduce ? emitted_text() : number(all_, s.node);
    if (s.kind == program::step_kind::reduce)
      reduce(s.node);
    else if (s.kind == program::step_kind::output)
      line(output_at(s.output, [](int, int axis) { return index(axis); }) + " = " + value + ";");
    else if (!is_variable_of_c(*buffer_of(s.node)))
      line(element_here(s.node) + " = " + value + ";");
  }
  constexpr bool is_result(const program::step& s) const {
    return s.kind != program::step_kind::load && s.kind != program::step_kind::compute;
  }
  constexpr void write_kernel(const program::kernel& kernel) {
    const program::step* const begin = nests_.steps.data() + kernel.first_step;
    const program::step* const end = nests_.steps.data() + kernel.end_step;
    if (begin->kind == program::step_kind::move) return move(begin->node);
    // Which nodes the results need, of what is read in C.
    program::growing_array<char> needed(f_.source->view.size, 0);
    for (const program::step* s = end; s != begin;) {
      --s;
      const bool reads = s->kind == program::step_kind::compute || s->kind == program::step_kind::reduce;
      if (is_result(*s) && s->kind != program::step_kind::reduce) needed[s->node] = all_.read[s->node];
      if (!reads || !(s->kind == program::step_kind::reduce ? all_.read[s->node] : needed[s->node])) continue;
      for (int j = operands_in_text(at(s->node)); j-- > 0;) needed[all_.operand(s->node, j)] = 1;
    }
    int outside = 0;
    axis_set open_axes = along_;
    for (axis_set left = kernel.axes & ~along_;; left &= left - 1) {
      for (const program::step* s = begin; s != end; ++s)
        if (!is_result(*s) && needed[s->node] && (at(s->node).axes & ~open_axes) == 0) define(*s);
      if (open_axes == along_) outside = in_order_.size;
      if (!left) break;
      loop(program::first_axis(left)), open_axes |= program::outermost(left);
    }
    for (const program::step* s = begin; s != end; ++s)
      if (is_result(*s) && (s->kind == program::step_kind::output || all_.read[s->node])) finish(*s);
    close_all(program::count_axes(kernel.axes & ~along_));
    leave_to(outside);
  }

  /// The index `t` along the axis of the move `m` of node `i`, in the loops over the axes of `every`: where it goes on
  /// the other side, or, of sums from the back, on both; all axes count as one where both are read in their own order.
  /// Nothing where it is that of the loop.
  constexpr emitted_text moved_index(int i, const program::tensor_move& m, const program::tensor_access& every,
                                     const program::tensor_access& other) {
    using enum program::move_kind;
    const int axis = other.axes[static_cast<std::size_t>(m.position)];
    const emitted_text k = index(m.position);
    if (m.kind == accumulate_back) return extent(axis) + " - 1U - " + k;
    if (m.kind == accumulate || (m.kind == reshape ? other.set() == 0 : axis < 0)) return {};
    if (m.kind == slice || m.kind == pad) {
      const emitted_text begin = bound(m.begin, axis);
      const std::int64_t step = m.step.constant;
      const emitted_text on =
          step == 1 || step == -1 ? k : "(" + k + " * " + c_number_of(step < 0 ? -step : step) + ")";
      return step > 0 && begin == "0U" ? on : begin + (step < 0 ? " - " : " + ") + on;
    }
    if (m.has_indices()) {
      const emitted_text n = element_at(all_.operand(i, 1), [&](int, int) { return k; });
      if (m.segments) return "(size_t)" + n;
      return "(size_t)((" + n + " < " + literal(0) + ") ? (" + n + " + (" + type() + ")" + extent(axis) + ") : " + n +
             ")";
    }
    if (m.kind == roll || m.kind == unroll) {
      // So much in the other direction, where they move back.
      program::extent_sum size = m.begin;
      const bool negative = size.count == 0 && size.constant < 0, forth = negative != (m.kind == roll);
      if (negative) size.constant = -size.constant;
      const emitted_text on = "(" + sum(size) + " % " + extent(axis) + ")";
      return "(" + k + " + " + (forth ? on : "(" + extent(axis) + " - " + on + ")") + ") % " + extent(axis);
    }
    return offset(every.axes.data(), every.rank, [](int p, int) { return index(p); });
  }
  /// Copies elements of tensors as a move says.
  constexpr void move(int i) {
    using enum program::move_kind;
    if (!all_.read[i]) return;
    const program::tensor_move* const moves = f_.source->view.moves + at(i).access;
    const program::tensor_move& first = moves[0];
    if (is_variable_of_c(*buffer_of(i))) line(type() + " " + all_.name('v', i) + " = " + literal(0) + ";"), declare(i);
    const auto position_in = [](const program::tensor_access& access, int axis) {
      int k = 0;
      while (access.axes[static_cast<std::size_t>(k)] != axis) ++k;
      return k;
    };
    const auto over = [&](const program::tensor_access& access) {
      for (int k = 0; k < access.rank; ++k) loop(k, access.axes[static_cast<std::size_t>(k)]);
    };
    const bool onto = first.kind == put && at(i).count == 3;
    if (onto || first.kind == put || (first.kind == pad && at(i).count == 1)) {
      const auto at_position = [&](int, int axis) { return index(position_in(first.to, axis)); };
      const emitted_text to = element_at(i, at_position);
      const emitted_text from = onto ? element_at(all_.operand(i, 2), at_position) : literal(0);
      if (to.view() != from.view()) over(first.to), line(to + " = " + from + ";"), close_all(first.to.rank);
    }
    for (int j = 0; j < (first.has_indices() ? 1 : at(i).count); ++j) {
      const program::tensor_move& m = moves[j];
      const bool back = m.kind == accumulate_back, sums = back || m.kind == accumulate;
      const bool gathers = sums || m.kind == slice || m.kind == take || m.kind == reshape;
      const program::tensor_access &every = gathers ? m.to : m.from, &other = gathers ? m.from : m.to;
      over(every);
      const auto along = static_cast<std::size_t>(m.position);
      const emitted_text k = index(m.position), place_of_t = moved_index(i, m, every, other);
      const emitted_text here = back ? emitted_text("t") : k, there = place_of_t.empty() ? k : emitted_text("t");
      bool reads_t = false;
      const auto index_there = [&](int, int axis) {
        const int p = position_in(other, axis);
        reads_t = reads_t || m.kind == reshape || p == m.position;
        if (m.kind != reshape) return p == m.position ? there : index(p);
        const emitted_text after = size_of(other.axes.data() + p + 1, other.rank - p - 1);
        const emitted_text out = after.view() == "1U" ? there : "(" + there + " / (" + after + "))";
        return "(" + out + " % " + extent(axis) + ")";
      };
      const auto index_here = [&](const emitted_text& on) {
        return [&, on](int, int axis) {
          const int p = position_in(every, axis);
          reads_t = reads_t || (back && p == m.position);
          return p == m.position ? on : index(p);
        };
      };
      const int from = all_.operand(i, j);
      emitted_text to = gathers ? element_at(i, index_here(here)) : element_at(i, index_there);
      to += m.kind == put ? " += " : " = ";
      to += gathers && !sums ? element_at(from, index_there) : element_at(from, index_here(here));
      if (sums && every.axes[along] >= 0)
        to += " + ((" + k + " > 0U) ? " + element_at(i, index_here("(" + here + (back ? " + 1U)" : " - 1U)"))) + " : " +
              literal(0) + ")";
      if (reads_t && !place_of_t.empty()) line("const size_t t = " + place_of_t + ";");
      line(to + ";");
      close_all(every.rank);
    }
  }

  /// The number of elements along axes.
  template <class Axis>
  constexpr emitted_text size_of(const Axis* axes, int rank) {
    emitted_text out;
    for (int k = 0; k < rank; ++k)
      if (const emitted_text own = extent(axes[k]); own.view() != "1U") out += (out.empty() ? "" : " * ") + own;
    return out.empty() ? emitted_text("1U") : out;
  }
  constexpr void take_scratch(int number, const int* axes, int rank) {
    in_macro_ = true;
    point_to_scratch(emitted_text("s") + number);
    const emitted_text size = size_of(axes, rank);
    scratch_of_nests_ += (scratch_of_nests_.empty() ? "(" : " + (") + size + ")";
    in_macro_ = false;
  }
  constexpr void lay_out() {
    for (const program::buffer& b : nests_.buffers) {
      if (b.output >= 0 || is_variable_of_c(b) || !all_.read[b.node]) continue;
      program::growing_array<int> axes;
      for (axis_set left = axes_of(b); left; left &= left - 1) axes.push_back(program::first_axis(left));
      take_scratch(b.node, axes.data, axes.size);
    }
    for (const c_result& r : f_.results)
      for (int o = r.first + 1; o < r.first + r.count; ++o) {
        const program::tensor_access& access = nests_.outputs[static_cast<std::size_t>(o)];
        take_scratch(f_.source->view.size + o, access.axes.data(), access.rank);
      }
  }
  /// Adds up what results are sums of.
  constexpr void add_pieces() {
    for (const c_result& r : f_.results) {
      if (r.count == 1) continue;
      open("for (size_t t = 0U; t < " + size_of(r.shape.axes.data(), r.shape.rank) + "; ++t) {");
      const emitted_text to = element(name_of_result(r), "t");
      emitted_text sum = r.count == 0 ? literal(0) : to;
      for (int o = r.first + 1; o < r.first + r.count; ++o) sum += " + " + in_scratch(f_.source->view.size + o, "t");
      line(to + " = " + sum + ";");
      close();
    }
  }

 public:
  constexpr c_nest_writer(const c_function& f, const double* numbers) : c_writer(f, numbers), nests_(*f.nests) {}

  constexpr emitted_text write(std::string_view comment) {
    uses_size_ = true;
    return c_writer::write(comment, [this](const c_frame&) {
      lay_out();
      for (std::size_t k = 0; k < nests_.kernels.size();) {
        const int group = nests_.kernels[k].group;
        const axis_set along = program::outermost(nests_.kernels[k].axes);
        begin_reductions(group, false);
        const int outside = in_order_.size;
        along_ = along;
        if (along) loop(program::first_axis(along)), begin_reductions(group, true);
        for (; k < nests_.kernels.size() && nests_.kernels[k].group == group; ++k) write_kernel(nests_.kernels[k]);
        if (along) close(), leave_to(outside);
        along_ = 0;
      }
      add_pieces();
    });
  }

  /// The first operation that has no text; null if there is none.
  static constexpr const program::operation_info* operation_without_text(const program::graph_view& view) {
    for (int i = 0; i < view.size; ++i) {
      const program::node& n = view.nodes[i];
      if (n.kind != program::node_kind::apply) continue;
      const bool has_text = n.operation->moves ? !n.operation->of_loops && !n.operation->of_matrices
                            : n.reduced        ? reduction_of(*n.operation) != nullptr
                                               : has_c_text(view, i);
      if (!has_text) return n.operation;
    }
    return nullptr;
  }
};

}  // namespace tapeless::detail
