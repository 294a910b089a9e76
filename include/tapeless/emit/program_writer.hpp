#pragma once

#include <tapeless/emit/step_writer.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

namespace tapeless::detail {

/// Writes programs: of one over numbers each node; of one over tensors each kernel of its plan as a nest of loops, and
/// the kernels of a group in the loop over the axis that they share.
class c_program_writer : c_step_writer {
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
  /// Its number in the table, past the end if it is not there.
  static constexpr std::size_t reduction_of(const program::operation_info& operation) {
    std::size_t i = 0;
    while (i < std::size(reductions) && *reductions[i].operation != operation) ++i;
    return i;
  }
  constexpr emitted_text neutral_of(int i) const {
    const std::string_view text = reductions[reduction_of(*at(i).operation)].neutral;
    if (at(i).condition && is_variable_of_c(*buffer_of(i))) return "false";
    return text == "0" ? literal(0) : text == "1" ? literal(1) : emitted_text(text);
  }
  constexpr void reduce(int i) {
    const int from = frame_->operand(i, 0);
    if (at(i).condition) {
      const emitted_text to = element_target(i);
      if (is_variable_of_c(*buffer_of(i)))
        line(to + " = " + to + " || " + condition(from) + ";");
      else
        line(to + " = ((" + to + " > " + literal(0) + ") || " + condition(from) + ") ? " + literal(1) + " : " +
             literal(0) + ";");
      return;
    }
    const emitted_text to = element_target(i), element = number(from);
    emitted_text out = to + " ";
    for (const char c : reductions[reduction_of(*at(i).operation)].text)
      if (c == '$')
        out += to;
      else if (c == '&')
        out += element;
      else
        out += c;
    line(out + ";");
  }
  constexpr emitted_text element_target(int i) {
    return is_variable_of_c(*buffer_of(i)) ? frame_->name('v', i) : element_here(i);
  }
  /// Gives what a group reduces its first values: of what lasts for all of the group, or for a step.
  constexpr void begin_reductions(int group, bool block) {
    for (const program::buffer& b : plan().buffers) {
      if (!b.reduction || b.block != block || plan().kernels[static_cast<std::size_t>(b.kernel)].group != group ||
          !frame_->read[b.node])
        continue;
      if (is_variable_of_c(b)) {
        line(type_of(b.node) + " " + frame_->name('v', b.node) + " = " + neutral_of(b.node) + ";");
        declare(b.node);
      } else {
        loops(axes_of(b));
        line(element_here(b.node) + " = " + (b.base >= 0 ? element_here(b.base) : neutral_of(b.node)) + ";");
        close_all(program::count_axes(axes_of(b)));
      }
    }
  }

  /// A node that a step reads or computes, as a variable of C unless it is one, or a literal.
  constexpr void load_or_compute(const program::step& s) {
    const program::node& n = at(s.node);
    if (frame_->declared[s.node] || (is_apply(s.node) && (n.count == 0 || n.operation->pair))) return;
    if (s.kind == program::step_kind::compute) return operation(s.node);
    const program::buffer* const b = buffer_of(s.node);
    const bool by_value = program::is_read(n.kind) ? n.kind == program::node_kind::variable && is_by_value(n)
                                                   : !b || is_variable_of_c(*b);
    if (!by_value) define(s.node, element_here(s.node) + (n.condition ? " > " + literal(0) : emitted_text()));
  }
  constexpr void finish(const program::step& s) {
    const emitted_text value = s.kind == program::step_kind::reduce ? emitted_text() : number(s.node);
    if (s.kind == program::step_kind::reduce)
      reduce(s.node);
    else if (s.kind == program::step_kind::output && is_number_of_step(s.output))
      return;  // The loop reads it after the step.
    else if (s.kind == program::step_kind::output)
      line(output_at(s.output, [&](int, int axis) { return index(axis); }) + " = " + value + ";");
    else if (!is_variable_of_c(*buffer_of(s.node)))
      line(element_here(s.node) + " = " + value + ";");
  }
  constexpr bool is_result(const program::step& s) const {
    return s.kind != program::step_kind::load && s.kind != program::step_kind::compute;
  }
  constexpr void write_kernel(const program::kernel& kernel) {
    const program::step* const begin = plan().steps.data() + kernel.first_step;
    const program::step* const end = plan().steps.data() + kernel.end_step;
    if (begin->kind == program::step_kind::move) return move_or_loop(begin->node);
    // Which nodes the results need, of what is read in C.
    program::growing_array<char> needed(frame_->source->view.size, 0);
    for (const program::step* s = end; s != begin;) {
      --s;
      const bool reads = s->kind == program::step_kind::compute || s->kind == program::step_kind::reduce;
      if (is_result(*s) && s->kind != program::step_kind::reduce) needed[s->node] = frame_->read[s->node];
      if (!reads || !(s->kind == program::step_kind::reduce ? frame_->read[s->node] : needed[s->node])) continue;
      for (int j = operands_in_text(at(s->node)); j-- > 0;) needed[frame_->operand(s->node, j)] = 1;
    }
    int outside = 0;
    axis_set open_axes = frame_->along;
    for (axis_set left = kernel.axes & ~frame_->along;; left &= left - 1) {
      for (const program::step* s = begin; s != end; ++s)
        if (!is_result(*s) && needed[s->node] && (at(s->node).axes & ~open_axes) == 0) load_or_compute(*s);
      if (open_axes == frame_->along) outside = frame_->in_order.size;
      if (!left) break;
      loop(program::first_axis(left)), open_axes |= program::outermost(left);
    }
    for (const program::step* s = begin; s != end; ++s)
      if (is_result(*s) && (s->kind == program::step_kind::output || frame_->read[s->node])) finish(*s);
    close_all(program::count_axes(kernel.axes & ~frame_->along));
    leave_to(outside);
  }
  constexpr void move_or_loop(int i) {
    const program::node& n = at(i);
    if (program::is_loop(n) && frame_->read[i])
      run_loop(i, [this] { write_program(); });
    else if (program::reads_loop(n))
      read_loop(i);
    else if (!program::is_loop(n))
      move(i);
  }

  /// Writes a program over numbers, one node after another.
  constexpr void write_nodes() {
    const c_loop* const loop = frame_->loop;
    for (int i = 0; i < frame_->source->view.size; ++i) {
      const program::node& n = at(i);
      if (n.kind != program::node_kind::variable || n.sequence || !frame_->read[i] || is_by_value(n) ||
          frame_->is_captured(n))
        continue;
      if (loop) {
        define(i, variable_of_step(n.leaf, {}));
      } else {
        const c_parameter& p = parameter_of(n.leaf);
        define(i, element(name_of(p), c_number_of(n.leaf - p.first)));
      }
    }
    for (int i = 0; i < frame_->source->view.size; ++i) {
      const program::node& n = at(i);
      if (!frame_->read[i] || !is_apply(i) || n.count == 0 || n.sequence || n.operation->pair ||
          program::applies(n, program::info<tapeless::operation::Length>))
        continue;
      if (program::is_loop(n))
        run_loop(i, [this] { write_program(); });
      else if (program::reads_loop(n))
        define(i, output_of_loop(frame_->operand(i, 0), n.operation->output_read, {}));
      else
        operation(i);
    }
    for (int o = loop ? loop->shape.carries : 0; loop && o < static_cast<int>(frame_->source->outputs.size()); ++o)
      line(output_of_step(o, {}) + " = " + number(frame_->source->outputs[static_cast<std::size_t>(o)]) + ";");
  }
  constexpr void write_results() {
    for (const c_result& r : f_.results) {
      const emitted_text name = name_of_result(r);
      const int* const outputs = frame_->source->outputs.data() + r.first;
      const auto set = [&](int place, int output) {
        line(element(name, c_number_of(place)) + " = " + number(output) + ";");
      };
      if (at(outputs[0]).sequence) {
        loop("t", length(outputs[0]));
        line(element(name, "t") + " = " + sequence(outputs[0], "t") + ";");
        close();
      } else if (r.symmetric > 0) {
        for (int row = 0; row < r.symmetric; ++row)
          for (int column = 0; column < r.symmetric; ++column) {
            const int low = row < column ? row : column, high = row < column ? column : row;
            set(row * r.symmetric + column, outputs[high * (high + 1) / 2 + low]);
          }
      } else {
        for (int place = 0; place < r.count; ++place) set(place, outputs[place]);
      }
    }
  }

  constexpr void write_program() {
    if (!plan().exists) return write_nodes();
    const auto& kernels = plan().kernels;
    for (std::size_t k = 0; k < kernels.size();) {
      const int group = kernels[k].group;
      const axis_set along = program::outermost(kernels[k].axes);
      begin_reductions(group, false);
      const int outside = frame_->in_order.size;
      frame_->along = along;
      if (along) loop(program::first_axis(along)), begin_reductions(group, true);
      for (; k < kernels.size() && kernels[k].group == group; ++k) write_kernel(kernels[k]);
      if (along) close(), leave_to(outside);
      frame_->along = 0;
    }
  }
  /// Adds up what results are sums of.
  constexpr void add_pieces() {
    for (const c_sum& of : frame_->part->results) {
      if (of.count == 1) continue;
      loop("t", size_of(of.shape));
      const emitted_text to = in_result(of, "t");
      emitted_text sum = of.count == 0 ? literal(0) : to;
      for (int o = of.first + 1; o < of.first + of.count; ++o) sum += " + " + in_scratch(piece(o), "t");
      line(to + " = " + sum + ";");
      close();
    }
  }

  constexpr void write_part(const c_part& part) {
    c_frame all{part.source, "", &part};
    const auto write = [&] {
      lay_out();
      in_macro_ = true;
      for (const c_sum& of : part.results)
        for (int o = of.first + 1; o < of.first + of.count; ++o)
          take_scratch(frame_->name('s', piece(o)), size_of(of.shape));
      const bool has_elements = part.direction.rank > 0;
      if (has_elements) take_scratch(frame_->name('s', direction()), size_of(part.direction));
      in_macro_ = false;
      if (has_elements) {
        const emitted_text e = element_of_direction(), one = in_scratch(direction(), e),
                           size = factor(size_of(part.direction));
        loop("t", size), line(in_scratch(direction(), "t") + " = " + literal(0) + ";"), close();
        loop(e, size), line(one + " = " + literal(1) + ";");
        write_program(), add_pieces();
        line(one + " = " + literal(0) + ";"), close();
      } else {
        write_program(), add_pieces();
        if (!plan().exists) write_results();
      }
    };
    if (part.source != f_.source) return inside(all, write);
    frame_ = &all;
    write();
  }
  constexpr void write_blocks(std::span<const c_part> parts) {
    for (const c_part& part : parts) open("{"), write_part(part), close();
  }
  /// The number of elements of all directions.
  constexpr emitted_text directions_of(std::span<const c_part> parts) {
    emitted_text all;
    for (const c_part& part : parts) all += (all.empty() ? "" : " + ") + factor(size_of(part.direction));
    return all;
  }
  static constexpr std::int64_t constant_directions(std::span<const c_part> parts) {
    std::int64_t all = 0;
    for (const c_part& part : parts) {
      std::int64_t size = 1;
      for (int k = 0; k < part.direction.rank; ++k) {
        const c_axis& axis = part.direction.axes[static_cast<std::size_t>(k)];
        if (axis.kind != c_axis::of::constant) return -1;
        size *= axis.number;
      }
      all += size;
    }
    return all;
  }

 public:
  using c_step_writer::c_step_writer;

  constexpr emitted_text write(std::string_view comment) {
    return c_function_writer::write(comment, [this] {
      const std::int64_t columns = constant_directions(f_.columns), rows = constant_directions(f_.rows);
      if (f_.columns.empty() || f_.rows.empty() || (columns >= 0 && rows >= 0)) {
        write_blocks(f_.columns.empty() || (!f_.rows.empty() && rows < columns) ? f_.rows : f_.columns);
      } else {
        open("if (" + factor(directions_of(f_.rows)) + " < " + factor(directions_of(f_.columns)) + ") {");
        write_blocks(f_.rows), --indent_, open("} else {"), write_blocks(f_.columns), close();
      }
      for (const c_part& part : f_.parts) write_part(part);
    });
  }

  /// The first operation that has no text; null if there is none.
  template <class... Parts>
  static constexpr const program::operation_info* operation_without_text(const Parts&... parts) {
    const program::operation_info* found = nullptr;
    const auto look = [&](const c_part& part) { found = found ? found : operation_without_text(*part.source); };
    const auto look_at_all = [&](std::span<const c_part> all) {
      for (const c_part& part : all) look(part);
    };
    (look_at_all(parts), ...);
    return found;
  }

 private:
  static constexpr const program::operation_info* operation_without_text(const c_source& source) {
    const program::graph_view& view = source.view;
    for (int i = 0; i < view.size; ++i) {
      const program::node& n = view.nodes[i];
      if (n.kind != program::node_kind::apply) continue;
      const auto is_written = [&](const program::tensor_move& first) {
        return first.to.rank == 0 || program::reads_loop(n);
      };
      const bool has_text = !source.plan.exists                             ? has_c_text(view, i)
                            : program::is_loop(n) || program::reads_loop(n) ? is_written(view.moves[n.access])
                            : n.operation->moves                            ? !n.operation->of_matrices
                            : n.reduced ? reduction_of(*n.operation) < std::size(reductions)
                                        : has_c_text(view, i);
      if (!has_text) return n.operation;
    }
    for (const c_loop& loop : source.loops)
      if (const program::operation_info* const found = operation_without_text(*loop.body)) return found;
    return nullptr;
  }
};

}  // namespace tapeless::detail
