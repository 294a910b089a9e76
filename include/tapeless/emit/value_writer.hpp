#pragma once

#include <tapeless/emit/function_writer.hpp>

#include <cstddef>
#include <string_view>

namespace tapeless::detail {

/// A program while it is written: that of the function or, with a loop of the program around it, a body.
struct c_frame {
  const c_source* source;
  emitted_text prefix;
  const c_frame* around = nullptr;
  const c_loop* loop = nullptr;
  emitted_text step = "0U";

  program::growing_array<char> read = nodes_in_texts(*source);

  constexpr const program::node& at(int i) const { return source->view.nodes[i]; }
  constexpr int operand(int i, int j) const { return source->view.edges[at(i).first + j]; }
  /// The node around it that variable `v` of the body captures.
  constexpr int captured(int v) const { return around->operand(loop->node, 1 + v); }
  constexpr emitted_text name(char kind, int i) const { return emitted_text() + kind + prefix + i; }
};

/// What a number of steps is at most: a constant, a number or the length of a sequence that is variable `number` of the
/// function, or not known before the call.
struct c_extent {
  enum class of : unsigned char { unknown, constant, variable } kind{};
  std::size_t number = 0;
};
/// That of what a loop stores.
constexpr c_extent extent_of_loop(const c_frame& in, const c_loop& loop);
constexpr c_extent extent_of(const c_frame& in, int i) {
  const program::node& n = in.at(i);
  if (n.kind == program::node_kind::constant) {
    const double count = in.source->view.constants[n.leaf].as<double>();
    return {c_extent::of::constant, count > 0 ? static_cast<std::size_t>(count) : 0};
  }
  if (n.kind == program::node_kind::variable) {
    if (!in.loop) return {c_extent::of::variable, static_cast<std::size_t>(n.leaf)};
    const bool captured = n.leaf >= in.loop->shape.carries && n.leaf < in.loop->shape.first_sequence() - 1;
    return captured ? extent_of(*in.around, in.captured(n.leaf)) : c_extent{};
  }
  if (program::applies(n, program::info<operation::Length>)) return extent_of(in, in.operand(i, 0));
  if (program::applies(n, program::info<operation::Repeat>)) return extent_of(in, in.operand(i, 1));
  if (!program::reads_loop(n) || !n.sequence) return {};
  return extent_of_loop(in, in.source->loop(in.operand(i, 0)));
}
constexpr c_extent extent_of_loop(const c_frame& in, const c_loop& loop) {
  return loop.shape.once ? c_extent{c_extent::of::constant, 1} : extent_of(in, in.operand(loop.node, 0));
}

/// Writes values: nodes as operands, and their operations.
class c_value_writer : public c_function_writer {
 protected:
  using c_function_writer::c_function_writer;

  /// Whether a variable is a number among the parameters.
  constexpr bool is_by_value(const c_frame& in, const program::node& variable) const {
    return !in.around && variable.leaf < variables_ && c_function_writer::is_by_value(parameter_of(variable.leaf));
  }
  /// A node as an operand.
  constexpr emitted_text atom(const c_frame& in, int i) {
    const program::node& n = in.at(i);
    switch (n.kind) {
      case program::node_kind::constant: {
        const program::constant_value& c = in.source->view.constants[n.leaf];
        return literal(f_.single ? static_cast<double>(c.as<float>()) : c.as<double>());
      }
      case program::node_kind::number:
        if (variables_ == used_.size) return literal(numbers_[n.leaf]);
        return "(" + type() + ")" + integer(n.leaf);
      case program::node_kind::variable:
        if (in.loop && n.leaf >= in.loop->shape.carries && n.leaf < in.loop->shape.first_table() - 1)
          return number(*in.around, in.captured(n.leaf));
        if (is_by_value(in, n)) return name_of(use(n.leaf));
        return in.name('v', i);
      default: break;
    }
    if (n.kind == program::node_kind::apply && n.count == 0) return literal(in.source->constant(i));
    if (program::applies(n, program::info<operation::Length>))
      return "(" + type() + ")(" + length(in, in.operand(i, 0)) + ")";
    return in.name('v', i);
  }
  constexpr emitted_text number(const c_frame& in, int i) {
    if (in.at(i).condition) return "(" + atom(in, i) + " ? " + literal(1) + " : " + literal(0) + ")";
    return atom(in, i);
  }
  constexpr emitted_text condition(const c_frame& in, int i) {
    const emitted_text text = atom(in, i);
    if (in.at(i).condition) return text;
    return "(!((" + text + " <= " + literal(0) + ") && (" + text + " >= " + literal(0) + ")))";
  }

  constexpr emitted_text sequence(const c_frame& in, int i, const emitted_text& index) {
    const program::node& n = in.at(i);
    if (n.kind == program::node_kind::variable) {
      if (in.loop) return sequence(*in.around, in.captured(n.leaf), index);
      const c_parameter& p = use(n.leaf);
      return element(name_of(p, n.leaf - p.first), index);
    }
    if (program::applies(n, program::info<operation::Repeat>)) return number(in, in.operand(i, 0));
    return stored(in, in.operand(i, 0), n.operation->output_read, index);
  }
  constexpr emitted_text stored(const c_frame& in, int loop, int output, const emitted_text& index) const {
    const emitted_text array = in.name('s', loop) + "_" + output;
    return array + "[" + index + (kernel_ ? " * count]" : "]");
  }
  constexpr emitted_text length(const c_frame& in, int i) {
    const program::node& n = in.at(i);
    uses_size_ = true;
    if (n.kind == program::node_kind::variable) {
      if (in.loop) return length(*in.around, in.captured(n.leaf));
      length_used_[n.leaf] = 1;
      return length_name(parameter_of(n.leaf));
    }
    if (program::applies(n, program::info<operation::Repeat>)) return size(in, in.operand(i, 1));
    return in.name('n', in.operand(i, 0));
  }
  /// A number of steps.
  constexpr emitted_text size(const c_frame& in, int i) {
    const program::node& n = in.at(i);
    uses_size_ = true;
    if (n.kind == program::node_kind::constant) return c_number_of(extent_of(in, i).number);
    if (program::applies(n, program::info<operation::Length>)) return length(in, in.operand(i, 0));
    const emitted_text text = number(in, i);
    return "((" + text + " > " + literal(0) + ") ? (size_t)" + text + " : 0U)";
  }

  /// A text with its operands, of a node, or a helper, of none.
  constexpr emitted_text filled(std::string_view text, const c_frame* in, int i) {
    emitted_text out;
    for (std::size_t k = 0; k < text.size(); ++k) {
      const char c = text[k];
      if (c == '$' && text[k + 1] == 'T') {
        out += type(), ++k;
      } else if (c == '$') {
        out += number(*in, in->operand(i, text[++k] - '0'));
      } else if (c == '?' && k + 1 < text.size() && text[k + 1] >= '0' && text[k + 1] <= '9') {
        out += condition(*in, in->operand(i, text[++k] - '0'));
      } else if (c == '@') {
        if (text[k + 1] == '(') out += in->at(i).operation->name;
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
        if (in) need(name);
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
          (f_.dialect == c_dialect::cuda ? "static __device__ " : "static ") + filled(each.text, nullptr, 0);
      if (helpers_.view().find(text) == std::string_view::npos) helpers_ += text + "\n";
    }
  }
  constexpr void operation(const c_frame& in, int i) {
    const program::node& n = in.at(i);
    const bool of_conditions = n.count == 2 && in.at(in.operand(i, 0)).condition && in.at(in.operand(i, 1)).condition;
    std::string_view text = c_text_of(in.source->view, i);
    if (of_conditions && n.opcode == program::opcode::equal) text = "?0 == ?1";
    if (of_conditions && n.opcode == program::opcode::not_equal) text = "?0 != ?1";
    uses_bool_ = uses_bool_ || n.condition;
    const bool part_of_pair =
        in.at(in.operand(i, 0)).kind == program::node_kind::apply && in.at(in.operand(i, 0)).operation->pair;
    const emitted_text kind = n.condition ? "bool " : f_.single ? "float " : "double ";
    line("const " + kind + in.name('v', i) + " = " + filled(text, &in, part_of_pair ? in.operand(i, 0) : i) + ";");
  }

  /// Opens the loop at node `i`, of `n` steps; of one that ends, `n` counts those that are made.
  constexpr void open_steps(const c_frame& in, int i, const operation::scan_shape& s, const emitted_text& n) {
    const emitted_text more = in.name('m', i), index = in.name('i', i);
    if (s.ends) {
      uses_bool_ = true;
      line("bool " + more + " = true;");
      open("while (" + more + " && (" + n + " < " + in.name('t', i) + ")) {");
    } else if (s.once) {
      open("if (" + n + " > 0U) {");
    } else {
      open("for (size_t " + index + " = 0U; " + index + " < " + n + "; ++" + index + ") {");
    }
  }
  /// Ends a step of one that ends where `ended` is not 0.
  constexpr void end_step(const c_frame& in, int i, const emitted_text& n, const emitted_text& ended) {
    line(in.name('m', i) + " = (" + ended + " <= " + literal(0) + ") && (" + ended + " >= " + literal(0) + ");");
    line("++" + n + ";");
  }
};

}  // namespace tapeless::detail
