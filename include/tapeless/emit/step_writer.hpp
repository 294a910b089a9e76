#pragma once

#include <tapeless/emit/move_writer.hpp>

#include <cstddef>
#include <string_view>
#include <utility>

namespace tapeless::detail {

/// Writes loops. A carry that is a number is a variable of C. Another lies in one of two places in turn, or in one for
/// each step, where those before each step are kept.
class c_step_writer : public c_move_writer {
 protected:
  using c_move_writer::c_move_writer;

  /// Writes the loop at node `i`; `write_step()` writes the program of a step.
  template <class Write>
  constexpr void run_loop(int i, const Write& write_step) {
    const c_loop& loop = frame_->source->loop(i);
    const operation::scan_shape& s = loop.shape;
    const emitted_text n = frame_->name(plan().exists ? 'k' : 'n', i), index = frame_->name('i', i);
    emitted_text made = s.ends ? n : index;
    if (s.once) made = "0U";
    // The most steps of a loop that ends; else the step's number from the back.
    const emitted_text t = frame_->name('t', i), more = frame_->name('m', i);
    line("const size_t " + (s.ends ? t : n) + " = " + steps_of(loop) + ";");
    if (s.ends) line("size_t " + n + " = 0U;");
    if (!plan().exists) point_to_outputs(loop);
    for (int k = 0; k < s.carries; ++k) begin_carry(loop, k);

    const emitted_text before = std::move(body_);
    body_ = {}, ++indent_;
    c_frame step = step_of(loop, s.reversed && !s.once ? t : made);
    for (int k = 0; k < s.carries; ++k)
      if (loop.live[s.history(k)] && !is_in_memory(loop, k))
        line(output_of_loop(i, s.history(k), {step.step}) + " = " + name_in_loop('c', loop, k) + ";");
    inside(step, [&] {
      write_step();
      for (int k = 0; k < s.carries; ++k)
        if (is_number_of_step(k))
          line(outside([&] { return name_in_loop('c', loop, k); }) + " = " +
               number(step.source->outputs[static_cast<std::size_t>(k)]) + ";");
    });
    if (s.ends) {
      const emitted_text ended = name_in_loop('c', loop, 0);
      line(more + " = (" + ended + " <= " + literal(0) + ") && (" + ended + " >= " + literal(0) + ");");
      line("++" + n + ";");
    }
    const emitted_text of_step = std::move(body_);
    body_ = before, --indent_;

    if (s.ends) {
      line("bool " + more + " = true;");
      open("while (" + more + " && (" + n + " < " + t + ")) {");
    } else if (s.once) {
      open("if (" + n + " > 0U) {");
    } else {
      this->loop(index, n);
      if (has_name(of_step, t)) line("const size_t " + t + " = " + n + " - 1U - " + index + ";");
    }
    for (int k = 0; k < s.carries; ++k)
      for (const char kind : {'c', 'd'})
        if (is_in_memory(loop, k) && has_name(of_step, name_in_loop(kind, loop, k)))
          point_to_carry(loop, k, made, kind == 'd');
    body_ += of_step;
    close();
    for (int k = 0; k < s.carries; ++k) {
      const emitted_text name = name_in_loop('c', loop, k);
      if (is_in_memory(loop, k) && is_read(loop, k)) point_to_carry(loop, k, n, false);
      if (!is_in_memory(loop, k) && !is_read(loop, k) && !is_operand(of_step, name)) line("(void)" + name + ";");
    }
  }

  /// Reads output number `output_read` of a loop: a number, or what lies in a result.
  constexpr void read_loop(int i) {
    const program::buffer& b = *buffer_of(i);
    const int node = frame_->operand(i, 0), output = at(i).operation->output_read;
    if (!frame_->read[i] || move_of(i).replayed || (b.output < 0 && !is_variable_of_c(b))) return;
    const program::tensor_access& to = move_of(i).to;
    const c_loop& loop = frame_->source->loop(node);
    const bool is_stepped = output >= loop.shape.carries && !loop.shape.once;
    const int outside = indent_;
    // Where not all steps are made, of those that are.
    const emitted_text from =
        output_of_loop(node, output, open_over(to, is_stepped ? frame_->name('k', node) : emitted_text()));
    if (b.output >= 0) {
      line(output_at(b.output, [&](int, int axis) { return index(position_in(to, axis)); }) + " = " + from + ";");
    } else {
      define(i, from);
    }
    close_all(indent_ - outside);
  }

 private:
  /// Opens loops along the axes of an access, the first of so many `steps` if that is not empty; gives the indices.
  constexpr indices open_over(const program::tensor_access& access, const emitted_text& steps = {}) {
    indices at;
    for (int k = 0; k < access.rank; ++k) {
      at[static_cast<std::size_t>(k)] = access.axes[k] < 0 ? emitted_text("0U") : index(k);
      if (access.axes[k] < 0) continue;
      k == 0 && !steps.empty() ? loop(index(k), steps) : loop(k, access.axes[k]);
    }
    return at;
  }
  constexpr bool is_read(const c_loop& loop, int output) const {
    for (int i = 0; i < frame_->source->view.size; ++i)
      if (program::reads_loop(at(i)) && frame_->read[i] && frame_->operand(i, 0) == loop.node &&
          at(i).operation->output_read == output)
        return true;
    return false;
  }
  /// Over numbers, the memory of what a loop stores.
  constexpr void point_to_outputs(const c_loop& loop) {
    for (int output = loop.shape.carries; output < loop.shape.outputs(); ++output) {
      if (!loop.live[output]) continue;
      point_to_scratch(name_in_loop('s', loop, output));
      const c_axis extent = extent_of_loop(*frame_, loop);
      if (extent.kind == c_axis::of::constant)
        scratch_constant_ += extent.number;
      else
        ++scratch_[static_cast<int>(extent.number)];
    }
  }
  /// How many steps a loop makes at most: as many as are counted; a negative number stands for all of the axis.
  constexpr emitted_text steps_of(const c_loop& loop) {
    const int count = frame_->operand(loop.node, 0);
    if (!plan().exists && loop.shape.once && at(count).kind != program::node_kind::constant)
      return condition(count) + " ? 1U : 0U";
    if (!plan().exists) return size(count);
    if (at(count).kind == program::node_kind::constant) {
      const program::tensor_access& steps = move_of(loop.node).from;
      const double number = frame_->source->view.constants[at(count).leaf].as<double>();
      return number < 0 ? extent(steps.axes[steps.rank - 1]) : c_number_of(static_cast<std::size_t>(number));
    }
    if (at(count).kind == program::node_kind::number)
      return "(" + integer(at(count).leaf) + " > 0) ? " + integer_as_size(at(count).leaf) + " : 0U";
    return positive(element_here(count));
  }
  constexpr void begin_carry(const c_loop& loop, int k) {
    const int first = frame_->operand(loop.node, 1 + k);
    if (!is_in_memory(loop, k)) {
      line(type() + " " + name_in_loop('c', loop, k) + " = " + element_here(first) + ";");
      return;
    }
    const program::tensor_access& access = access_of_carry(loop, k);
    const int outside = indent_;
    const indices at = open_over(access);
    line(place_of_carry(loop, k, "0U", false, offset(access, at)) + " = " +
         element_at(first, [&](int, int axis) { return index(position_in(access, axis)); }) + ";");
    close_all(indent_ - outside);
  }
  /// An element of a carry after so many steps, or one more.
  constexpr emitted_text place_of_carry(const c_loop& loop, int k, const emitted_text& made, bool next,
                                        const emitted_text& offset) {
    const operation::scan_shape& s = loop.shape;
    const emitted_text n = frame_->name('k', loop.node);
    emitted_text place = made == "0U" && next ? "1U" : next ? made + " + 1U" : made;
    if (loop.live[s.history(k)] && s.reversed)
      place = place == "0U" ? n : place.view() == n.view() ? "0U" : n + " - " + (next ? made + " - 1U" : made);
    else if (!loop.live[s.history(k)] && !s.once && place != "0U")
      place = factor(place) + " % 2U";
    return in_memory(name_in_loop('s', loop, k), in_place(place, size_of_carry(loop, k), offset));
  }
  constexpr void point_to_carry(const c_loop& loop, int k, const emitted_text& made, bool next) {
    point_to(place_of_carry(loop, k, made, next, "0U"), name_in_loop(next ? 'd' : 'c', loop, k), !next);
  }

  /// Whether it has it elsewhere than on the left of an assignment.
  static constexpr bool is_operand(std::string_view text, std::string_view name) {
    for (std::size_t k = 0; (k = find_name(text, name, k)) != std::string_view::npos; k += name.size())
      if (!text.substr(k + name.size()).starts_with(" = ")) return true;
    return false;
  }
};

}  // namespace tapeless::detail
