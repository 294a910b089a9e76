#pragma once

#include <tapeless/emit/function_writer.hpp>

#include <cstddef>
#include <string_view>

namespace tapeless::detail {

/// A program while it is written: a part of the function, or a step of a loop of the program around.
struct c_frame {
  const c_source* source;
  emitted_text prefix;
  const c_part* part = nullptr;
  c_frame* around = nullptr;
  const c_loop* loop = nullptr;
  emitted_text step = "0U";

  program::growing_array<char> read = nodes_in_texts(*source);
  /// Over tensors, the nodes that are variables of C here, those of inner blocks last.
  program::growing_array<char> declared{source->view.size, 0};
  program::growing_array<int> in_order{};
  /// Along which axis the kernels that are written are one step each.
  program::axis_set along = 0;

  constexpr const program::node& at(int i) const { return source->view.nodes[i]; }
  constexpr int operand(int i, int j) const { return source->view.edges[at(i).first + j]; }
  constexpr emitted_text name(char kind, int i) const { return emitted_text() + kind + prefix + i; }
  /// Variable `v` of a step is operand v + 1 of the loop.
  constexpr int captured(int v) const { return around->operand(loop->node, 1 + v); }
  /// Whether a variable is a number that a step over numbers has from outside.
  constexpr bool is_captured(const program::node& variable) const {
    return loop && !source->plan.exists && variable.leaf >= loop->shape.carries &&
           variable.leaf < loop->shape.first_table() - 1;
  }
};

/// How long over numbers what a loop stores is at most; and a sequence, or how many steps a number is.
constexpr c_axis extent_of_loop(const c_frame& in, const c_loop& loop);
constexpr c_axis extent_of(const c_frame& in, int i) {
  const program::node& n = in.at(i);
  if (n.kind == program::node_kind::constant) {
    const double count = in.source->view.constants[n.leaf].as<double>();
    return {c_axis::of::constant, count > 0 ? static_cast<std::int64_t>(count) : 0};
  }
  if (n.kind == program::node_kind::variable) {
    if (!in.loop) return {c_axis::of::variable, n.leaf};
    const bool captured = n.leaf >= in.loop->shape.carries && n.leaf < in.loop->shape.first_sequence() - 1;
    return captured ? extent_of(*in.around, in.captured(n.leaf)) : c_axis{};
  }
  if (program::applies(n, program::info<operation::Length>)) return extent_of(in, in.operand(i, 0));
  if (program::applies(n, program::info<operation::Repeat>)) return extent_of(in, in.operand(i, 1));
  if (!program::reads_loop(n) || !n.sequence) return {};
  return extent_of_loop(in, in.source->loop(in.operand(i, 0)));
}
constexpr c_axis extent_of_loop(const c_frame& in, const c_loop& loop) {
  return loop.shape.once ? c_axis{c_axis::of::constant, 1} : extent_of(in, in.operand(loop.node, 0));
}

/// Writes values: nodes as operands, and their operations.
class c_value_writer : public c_function_writer {
 protected:
  using c_function_writer::c_function_writer;

  c_frame* frame_ = nullptr;

  constexpr const program::node& at(int i) const { return frame_->at(i); }
  constexpr const c_plan& plan() const { return frame_->source->plan; }
  constexpr c_frame step_of(const c_loop& loop, const emitted_text& number) {
    return {loop.body, frame_->prefix + loop.node + "_", nullptr, frame_, &loop, number};
  }
  /// Writes a program with another one around it; and, of the one around, a text for the program inside.
  template <class Write>
  constexpr void inside(c_frame& step, const Write& write) {
    c_frame* const around = frame_;
    frame_ = &step, scope_.push_back(&step.source->plan);
    write();
    frame_ = around, --scope_.size;
  }
  template <class Write>
  constexpr emitted_text outside(const Write& write) {
    c_frame* const step = frame_;
    frame_ = step->around, --scope_.size;
    const emitted_text text = write();
    frame_ = step, ++scope_.size;
    return text;
  }

  /// Whether a variable is a number among the parameters.
  constexpr bool is_by_value(const program::node& variable) const {
    return !frame_->around && variable.leaf < variables_ && c_function_writer::is_by_value(parameter_of(variable.leaf));
  }
  /// A node as an operand.
  constexpr emitted_text atom(int i) {
    const program::node& n = at(i);
    switch (n.kind) {
      case program::node_kind::constant: {
        const program::constant_value& c = frame_->source->view.constants[n.leaf];
        return literal(f_.single ? static_cast<double>(c.as<float>()) : c.as<double>());
      }
      case program::node_kind::number:
        if (integers_ == 0) return literal(numbers_[n.leaf]);
        return "(" + type() + ")" + integer(n.leaf);
      case program::node_kind::variable:
        if (frame_->is_captured(n)) return outside([this, of = frame_->captured(n.leaf)] { return number(of); });
        if (is_by_value(n)) return name_of(parameter_of(n.leaf));
        return frame_->name('v', i);
      default: break;
    }
    if (n.kind == program::node_kind::apply && n.count == 0) return literal(frame_->source->constant(i));
    if (program::applies(n, program::info<operation::Length>))
      return "(" + type() + ")(" + length(frame_->operand(i, 0)) + ")";
    return frame_->name('v', i);
  }
  constexpr emitted_text number(int i) {
    if (at(i).condition) return "(" + atom(i) + " ? " + literal(1) + " : " + literal(0) + ")";
    return atom(i);
  }
  constexpr emitted_text condition(int i) {
    const emitted_text text = atom(i);
    if (at(i).condition) return text;
    return "(!((" + text + " <= " + literal(0) + ") && (" + text + " >= " + literal(0) + ")))";
  }

  constexpr emitted_text length(int i) {
    const program::node& n = at(i);
    if (n.kind == program::node_kind::variable) {
      if (frame_->loop) return outside([this, of = frame_->captured(n.leaf)] { return length(of); });
      return length_name(parameter_of(n.leaf));
    }
    if (program::applies(n, program::info<operation::Repeat>)) return size(frame_->operand(i, 1));
    return frame_->name('n', frame_->operand(i, 0));
  }
  /// A number of steps.
  constexpr emitted_text size(int i) {
    const program::node& n = at(i);
    if (n.kind == program::node_kind::constant) return c_number_of(extent_of(*frame_, i).number);
    if (program::applies(n, program::info<operation::Length>)) return length(frame_->operand(i, 0));
    return "(" + positive(number(i)) + ")";
  }
  /// A number as a size, 0 where it is negative.
  constexpr emitted_text positive(const emitted_text& number) const {
    return "(" + number + " > " + literal(0) + ") ? (size_t)" + number + " : 0U";
  }

  /// A text with its operands, of a node, or of a helper, -1.
  constexpr emitted_text filled(std::string_view text, int i) {
    emitted_text out;
    for (std::size_t k = 0; k < text.size(); ++k) {
      const char c = text[k];
      if (c == '$' && text[k + 1] == 'T') {
        out += type(), ++k;
      } else if (c == '$') {
        out += number(frame_->operand(i, text[++k] - '0'));
      } else if (c == '?' && k + 1 < text.size() && text[k + 1] >= '0' && text[k + 1] <= '9') {
        out += condition(frame_->operand(i, text[++k] - '0'));
      } else if (c == '@') {
        if (text[k + 1] == '(') out += at(i).operation->name;
        while (text[++k] != '(') out += text[k];
        // OpenCL has one name for all types.
        out += f_.single && f_.dialect != c_dialect::opencl ? "f(" : "(";
      } else if (c == '#') {
        while (++k < text.size() && ((text[k] >= '0' && text[k] <= '9') || text[k] == '.')) out += text[k];
        out += f_.single ? "f" : "", --k;
      } else if (c == '{' && text.find('|', k) < text.find('\n', k)) {
        const std::size_t bar = text.find('|', k), end = text.find('}', bar);
        out += f_.single ? text.substr(bar + 1, end - bar - 1) : text.substr(k + 1, bar - k - 1);
        k = end;
      } else if (c == '%') {
        const std::size_t end = text.find('(', k);
        const std::string_view name = text.substr(k + 1, end - k - 1);
        out += f_.name, out += '_', out += name;
        k = end - 1;
        if (i >= 0) need(name);
      } else {
        out += c;
      }
    }
    return out;
  }
  /// Writes a helper, and first what it calls.
  constexpr void need(std::string_view name) {
    for (const c_helper& each : c_helpers) {
      if (each.name != name) continue;
      if (name != "factor" && each.text.find("%factor") != std::string_view::npos) need("factor");
      const emitted_text text =
          (f_.dialect == c_dialect::cuda ? "static __device__ " : "static ") + filled(each.text, -1);
      if (helpers_.view().find(text) == std::string_view::npos) helpers_ += text + "\n";
    }
  }
  constexpr void operation(int i) {
    const program::node& n = at(i);
    const program::node& first = at(frame_->operand(i, 0));
    const bool of_conditions = n.count == 2 && first.condition && at(frame_->operand(i, 1)).condition;
    std::string_view text = c_text_of(frame_->source->view, i);
    if (of_conditions && n.opcode == program::opcode::equal) text = "?0 == ?1";
    if (of_conditions && n.opcode == program::opcode::not_equal) text = "?0 != ?1";
    const bool part_of_pair = first.kind == program::node_kind::apply && first.operation->pair;
    define(i, filled(text, part_of_pair ? frame_->operand(i, 0) : i));
  }
  constexpr emitted_text type_of(int i) const {
    if (at(i).condition) return "bool";
    return type();
  }
  constexpr void declare(int i) { frame_->declared[i] = 1, frame_->in_order.push_back(i); }
  /// Makes a node a variable of C.
  constexpr void define(int i, const emitted_text& value) {
    line("const " + type_of(i) + " " + frame_->name('v', i) + " = " + value + ";");
    declare(i);
  }
};

}  // namespace tapeless::detail
