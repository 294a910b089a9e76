#pragma once

#include <tapeless/emit/value_writer.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace tapeless::detail {

/// Writes where elements lie: of parameters, of results, of what one kernel leaves for the next, which
/// is a variable, where it is a number, or else in the caller's memory, and of what loops carry and stack.
class c_element_writer : public c_value_writer {
 protected:
  using axis_set = program::axis_set;
  using c_value_writer::c_value_writer;
  using indices = std::array<emitted_text, program::max_rank + 1>;

  constexpr bool is_apply(int i) const { return at(i).kind == program::node_kind::apply; }
  constexpr const program::tensor_move& move_of(int i, int operand = 0) const {
    return frame_->source->view.moves[at(i).access + operand];
  }
  constexpr void leave_to(int count) {
    while (frame_->in_order.size > count) frame_->declared[frame_->in_order[--frame_->in_order.size]] = 0;
  }

  constexpr const program::buffer* buffer_of(int i) const {
    for (const program::buffer& b : plan().buffers)
      if (b.node == i) return &b;
    return nullptr;
  }
  /// The axes along which a buffer has more than one element: it holds a step of its group, or all of them.
  constexpr axis_set axes_of(const program::buffer& b) const {
    const axis_set group = program::outermost(plan().kernels[static_cast<std::size_t>(b.kernel)].axes);
    return b.block ? b.axes & ~group : b.axes;
  }
  constexpr bool is_variable_of_c(const program::buffer& b) const { return b.output < 0 && axes_of(b) == 0; }

  constexpr emitted_text index(int axis) const { return "i" + frame_->prefix + axis; }
  /// Opens a loop over an axis, whose index has that number or another.
  constexpr void loop(int axis) { loop(axis, axis); }
  constexpr void loop(int number, int axis) { loop(index(number), extent(axis)); }
  constexpr void loop(const emitted_text& i, const emitted_text& end) {
    if (end == "0U")  // compilers warn that no size is below 0
      open("for (size_t " + i + " = 1U; " + i + " < 1U; ++" + i + ") {");
    else
      open("for (size_t " + i + " = 0U; " + i + " < " + end + "; ++" + i + ") {");
  }
  constexpr void loops(axis_set axes) {
    for (; axes; axes &= axes - 1) loop(program::first_axis(axes));
  }
  constexpr void close_all(int count) {
    while (count-- > 0) close();
  }

  /// The number of elements along axes.
  template <class Axis>
  constexpr emitted_text size_of(const Axis* axes, int rank) {
    emitted_text out;
    for (int k = 0; k < rank; ++k)
      if (const emitted_text own = extent(axes[k]); own.view() != "1U") out += (out.empty() ? "" : " * ") + own;
    return out.empty() ? emitted_text("1U") : out;
  }
  constexpr emitted_text size_of(const c_shape& shape) { return size_of(shape.axes.data(), shape.rank); }
  static constexpr emitted_text factor(const emitted_text& size) {
    return size.view().find(' ') == std::string_view::npos ? size : "(" + size + ")";
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
  constexpr emitted_text offset(const program::tensor_access& access, const indices& at, std::size_t first = 0) {
    return offset(access.axes, access.rank, [&](int k, int) { return at[first + static_cast<std::size_t>(k)]; });
  }
  /// The same in the place with that number, of several that are `size` elements each.
  static constexpr emitted_text in_place(const emitted_text& place, const emitted_text& size,
                                         const emitted_text& offset) {
    if (place == "0U" || size == "0U") return offset;
    const emitted_text begin = size == "1U" ? place : factor(place) + " * " + factor(size);
    return offset == "0U" ? begin : (size == "1U" ? begin : "(" + begin + ")") + " + " + offset;
  }

  /// An element of the caller's memory that has a name here.
  constexpr emitted_text in_memory(const emitted_text& name, const emitted_text& offset) const {
    if (kernel_ && offset != "0U") return name + "[" + times_count(offset) + "]";
    return name + "[" + offset + "]";
  }
  constexpr emitted_text in_scratch(int number, const emitted_text& offset) const {
    return in_memory(frame_->name('s', number), offset);
  }
  /// The numbers, after those of the nodes, of what is added to a result later, and of a direction.
  constexpr int piece(int output) const { return frame_->source->view.size + output; }
  constexpr int direction() const { return piece(static_cast<int>(plan().outputs.size())); }
  /// The index of the element of a direction.
  constexpr emitted_text element_of_direction() const {
    if (frame_->part->direction.rank == 0) return "0U";
    return "m0";
  }
  /// An element of what an output, or output `of` of the sum, is of a result.
  constexpr emitted_text in_result(const c_sum& of, const emitted_text& offset) {
    const c_part& part = *frame_->part;
    const emitted_text name = name_of_result(f_.results[static_cast<std::size_t>(of.result)]);
    if (part.along < 0) return element(name, offset);
    const emitted_text which = element_of_direction();
    return element(name, part.by_rows ? in_place(which, size_of(of.shape), offset)
                                      : in_place(offset, size_of(part.direction), which));
  }
  /// An element of the memory of output number `o`: the result's, or of what is added to it later; of a step, that of
  /// the loop.
  template <class Index>
  constexpr emitted_text output_at(int o, const Index& at) {
    const program::tensor_access& access = plan().outputs[static_cast<std::size_t>(o)];
    if (frame_->loop) return output_of_step(o, by_position(access, at, 1));
    const emitted_text place = offset(access.axes, access.rank, at);
    for (const c_sum& of : frame_->part->results)
      if (of.first == o && of.count > 0) return in_result(of, place);
    return in_scratch(piece(o), place);
  }
  /// The indices of an access, behind others.
  template <class Index>
  static constexpr indices by_position(const program::tensor_access& access, const Index& at, int behind = 0) {
    indices all;
    for (int k = 0; k < access.rank; ++k)
      all[static_cast<std::size_t>(behind + k)] = access.axes[k] < 0 ? emitted_text("0U") : at(k, access.axes[k]);
    return all;
  }

  /// An element of a node as a number; of a buffer what is assigned to.
  template <class Index>
  constexpr emitted_text element_at(int i, const Index& at) {
    const program::node& n = this->at(i);
    const program::tensor_access* access =
        plan().exists && program::is_read(n.kind) ? &frame_->source->view.accesses[n.access] : nullptr;
    if (n.kind == program::node_kind::extent) return "(" + type() + ")" + extent(n.leaf);
    if (n.kind == program::node_kind::index) return "(" + type() + ")" + at(0, access->axes[0]);
    if (access && frame_->loop) return variable_of_step(n.leaf, by_position(*access, at, 1));
    if (access && n.leaf >= variables_) {
      if (n.leaf != frame_->part->along) return literal(0);
      if (access->rank == 0) return literal(1);
      return in_scratch(direction(), offset(access->axes, access->rank, at));
    }
    if (access && !is_by_value(n)) {
      const c_parameter& p = parameter_of(n.leaf);
      return (p.bits != 0 ? "(" + type() + ")" : emitted_text()) +
             element(name_of(p), p.count > 1 ? c_number_of(n.leaf - p.first) : offset(access->axes, access->rank, at));
    }
    const program::buffer* const b = buffer_of(i);
    if (!b || is_variable_of_c(*b)) return number(i);
    if (b->output >= 0) return output_at(b->output, at);
    if (program::reads_loop(n))
      return output_of_loop(frame_->operand(i, 0), n.operation->output_read, by_position(move_of(i).to, at));
    program::growing_array<int> axes;
    for (axis_set left = axes_of(*b); left; left &= left - 1) axes.push_back(program::first_axis(left));
    return in_scratch(i, offset(axes.data, axes.size, at));
  }
  /// That of the loops around; that of a number.
  constexpr emitted_text element_here(int i) {
    return element_at(i, [&](int, int axis) { return index(axis); });
  }

  // What loops carry and stack.

  /// How carry number `k` lies, before any step.
  constexpr const program::tensor_access& access_of_carry(const c_loop& loop, int k) const {
    return move_of(loop.node, 1 + k).from;
  }
  /// Whether a carry lies in memory: others are variables of C.
  constexpr bool is_in_memory(const c_loop& loop, int k) const { return is_in_memory(*frame_, loop, k); }
  static constexpr bool is_in_memory(const c_frame& around, const c_loop& loop, int k) {
    if (!around.source->plan.exists) return false;
    const program::tensor_access& first = around.source->view.moves[around.at(loop.node).access + 1 + k].from;
    return (first.set() | loop.body->plan.outputs[static_cast<std::size_t>(k)].set()) != 0;
  }
  /// Whether output number `o` of the step that is written is a carry that does not.
  constexpr bool is_number_of_step(int o) const {
    const c_loop* const loop = frame_->loop;
    return loop && o < loop->shape.carries && !is_in_memory(*frame_->around, *loop, o);
  }
  /// How an output lies that nodes read: the last of these tells.
  constexpr const program::tensor_access& access_of_output(const c_loop& loop, int output) const {
    int i = frame_->source->view.size - 1;
    while (!program::reads_loop(at(i)) || frame_->operand(i, 0) != loop.node || at(i).operation->output_read != output)
      --i;
    return move_of(i).to;
  }
  constexpr emitted_text name_in_loop(char kind, const c_loop& loop, int k) const {
    return frame_->name(kind, loop.node) + "_" + k;
  }
  constexpr emitted_text size_of_carry(const c_loop& loop, int k) {
    const program::tensor_access& access = access_of_carry(loop, k);
    return size_of(static_cast<const int*>(access.axes), access.rank);
  }
  /// An element of an output of a loop: of the last carry, or of what each step has, with the step first. Where the
  /// carries before each step are kept, they lie in one memory with the last, which in a reversed loop is the first.
  constexpr emitted_text output_of_loop(int node, int output, const indices& at) {
    const c_loop& loop = frame_->source->loop(node);
    const operation::scan_shape& s = loop.shape;
    if (output < s.carries) {
      const emitted_text name = name_in_loop('c', loop, output);
      if (!is_in_memory(loop, output)) return name;
      return in_memory(name, offset(access_of_carry(loop, output), at));
    }
    const int k = output - s.history(0);
    if (k >= 0 && is_in_memory(loop, k))
      return in_memory(name_in_loop('s', loop, k),
                       in_place(s.reversed ? at[0] + " + 1U" : at[0], size_of_carry(loop, k),
                                offset(access_of_carry(loop, k), at, 1)));
    const emitted_text name = name_in_loop('s', loop, output);
    if (k >= 0 || !plan().exists) return in_memory(name, at[0]);
    return in_memory(name, offset(access_of_output(loop, output), at));
  }
  constexpr emitted_text sequence(int i, const emitted_text& index) {
    const program::node& n = at(i);
    if (n.kind == program::node_kind::variable) {
      if (frame_->loop) return outside([&, of = frame_->captured(n.leaf)] { return sequence(of, index); });
      const c_parameter& p = parameter_of(n.leaf);
      return element(name_of(p, n.leaf - p.first), index);
    }
    if (program::applies(n, program::info<operation::Repeat>)) return number(frame_->operand(i, 0));
    return output_of_loop(frame_->operand(i, 0), n.operation->output_read, {index});
  }
  /// An element of output number `o` of a step: of the next carry, or of what is stacked. The first index is that of
  /// the step.
  constexpr emitted_text output_of_step(int o, indices at) {
    const c_loop& loop = *frame_->loop;
    at[0] = frame_->step;
    int output = o < loop.shape.carries ? o : loop.shape.carries - 1;
    for (int skip = o - output; skip > 0; skip -= loop.live[output]) ++output;
    return outside([&] {
      if (o >= loop.shape.carries) return output_of_loop(loop.node, output, at);
      return in_memory(name_in_loop('d', loop, o), offset(access_of_carry(loop, o), at, 1));
    });
  }
  /// An element of variable number `v` of a step: of a carry, or of what the loop captures or runs over.
  constexpr emitted_text variable_of_step(int v, indices by) {
    const c_loop& loop = *frame_->loop;
    const operation::scan_shape& s = loop.shape;
    if (v == s.operands() - 1) return "(" + type() + ")" + frame_->step;
    by[0] = frame_->step;
    const bool is_stepped = v >= s.first_sequence() - 1;
    return outside([&] {
      if (v < s.carries) {
        const emitted_text name = name_in_loop('c', loop, v);
        if (!is_in_memory(loop, v)) return name;
        return in_memory(name, offset(access_of_carry(loop, v), by, 1));
      }
      const int operand = frame_->operand(loop.node, 1 + v);
      if (at(operand).sequence) return sequence(operand, by[0]);
      const program::tensor_access& from = move_of(loop.node, 1 + v).from;
      if (c_history_read(frame_->source->view, operand) >= 0)
        return output_of_loop(frame_->operand(operand, 0), at(operand).operation->output_read, by);
      return element_at(operand, [&](int, int axis) {
        return by[static_cast<std::size_t>(position_in(from, axis) + (is_stepped ? 0 : 1))];
      });
    });
  }
  static constexpr int position_in(const program::tensor_access& access, int axis) {
    int k = 0;
    while (access.axes[k] != axis) ++k;
    return k;
  }

  constexpr void take_scratch(const emitted_text& name, const emitted_text& size) {
    point_to_scratch(name);
    scratch_of_nests_ += (scratch_of_nests_.empty() ? "(" : " + (") + size + ")";
  }
  /// Gives memory to all of tensors that has to lie in it, in loops too.
  constexpr void lay_out() {
    if (!plan().exists) return;
    in_macro_ = true;
    for (const program::buffer& b : plan().buffers) {
      if (b.output >= 0 || is_variable_of_c(b) || !frame_->read[b.node] || program::reads_loop(at(b.node))) continue;
      program::growing_array<int> axes;
      for (axis_set left = axes_of(b); left; left &= left - 1) axes.push_back(program::first_axis(left));
      take_scratch(frame_->name('s', b.node), size_of(axes.data, axes.size));
    }
    for (const c_loop& loop : frame_->source->loops)
      if (frame_->read[loop.node]) lay_out(loop);
    in_macro_ = false;
  }
  constexpr void lay_out(const c_loop& loop) {
    const operation::scan_shape& s = loop.shape;
    for (int k = 0; k < s.carries; ++k) {
      if (!is_in_memory(loop, k)) continue;
      const emitted_text size = size_of_carry(loop, k);
      const emitted_text places =
          loop.live[s.history(k)] ? "(" + extent(move_of(loop.node).from.axes[0]) + " + 1U)" : emitted_text("2U");
      take_scratch(name_in_loop('s', loop, k), size == "1U" ? places : places + " * " + size);
    }
    for (int output = s.carries; output < s.outputs(); ++output)
      if (loop.live[output] && (output < s.history(0) || !is_in_memory(loop, output - s.history(0)))) {
        // Of numbers that are carried, one for each step.
        const bool is_history = output >= s.history(0);
        const program::tensor_access& access = is_history ? move_of(loop.node).from : access_of_output(loop, output);
        take_scratch(name_in_loop('s', loop, output),
                     size_of(static_cast<const int*>(access.axes), is_history ? 1 : access.rank));
      }
    c_frame step = step_of(loop, "");
    inside(step, [&] { lay_out(); });
    in_macro_ = true;
  }
};

}  // namespace tapeless::detail
