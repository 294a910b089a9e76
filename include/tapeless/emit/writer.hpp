#pragma once

#include <tapeless/emit/literal.hpp>
#include <tapeless/emit/nests.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

namespace tapeless::detail {

enum class c_dialect { c99, opencl, cuda };

/// A parameter for inputs: the variables of a program from `first` on, by value where it is a number, or a sequence
/// with its length.
struct c_parameter {
  std::string_view name;
  int number = -1;
  int first = 0, count = 1;
  bool is_number = true, is_sequence = false;
  /// Whether the name is the writer's, not that of a variable of a formula.
  bool is_writers = false;
  /// Which tensor or number of an argument it is, where that has several.
  int member = -1;
  c_shape shape{};
};
/// One for results: the outputs from `first` on; of a symmetric matrix with so many rows the upper triangle, column by
/// column. Of a tensor, `count` outputs are to be added up.
struct c_result {
  std::string_view name;
  int number = -1;
  int first = 0, count = 1;
  int symmetric = 0;
  c_shape shape{};
};

/// What is written.
struct c_function {
  c_dialect dialect;
  bool single;
  std::string_view name;
  const c_source* source;
  std::span<const c_parameter> parameters;
  std::span<const c_result> results;
  /// Of a program over tensors its nests, and how many extents are parameters.
  const c_nests* nests = nullptr;
  int extents = 0;
};

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

constexpr emitted_text c_number_of(std::integral auto n) { return emitted_text() + n + "U"; }

/// Whether a list of names with spaces around each has one.
constexpr bool lists_name(std::string_view list, std::string_view name) {
  return list.find((" " + emitted_text(name) + " ").view()) != std::string_view::npos;
}
/// Words of the languages, and the functions and macros that the text uses.
constexpr bool is_c_word(std::string_view name) {
  return lists_name(
      " auto bool break case char class const constant continue default delete do double else enum extern false float "
      "for global goto half if inline int kernel local long main new private register restrict return short signed "
      "size_t sizeof static struct switch template this true typedef uint ulong union unsigned void volatile while "
      "acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor fmod hypot isnan "
      "lgamma log log10 log1p log2 pow round sin sinh sqrt tan tanh tgamma trunc INFINITY NAN ",
      name);
}
/// Names of the writer: those here, and a letter with a number.
constexpr bool is_c_name_of_writer(std::string_view name) {
  return lists_name(" count entries gradient hessian i jacobian product scratch seed t tangent value ", name) ||
         (name.size() > 1 && name[1] >= '0' && name[1] <= '9' && lists_name(" c i m n s t v ", name.substr(0, 1)));
}

class c_writer {
  static constexpr int most_columns = 100;

 protected:
  const c_function& f_;
  const double* numbers_;
  emitted_text body_, helpers_;
  int indent_ = 1;
  /// How often the length of each variable is stored.
  program::growing_array<std::size_t> scratch_;
  std::size_t scratch_constant_ = 0;
  /// Of what nests of loops store, and which extents that depends on.
  emitted_text scratch_of_nests_;
  bool in_macro_ = false;
  program::growing_array<char> extent_used_, extent_stored_;
  bool kernel_, uses_bool_ = false, uses_size_ = false;
  program::growing_array<char> used_, length_used_;
  /// The names of the parameters, one after another, and where each ends.
  emitted_text names_;
  program::growing_array<int> name_ends_;

  constexpr emitted_text type() const { return f_.single ? "float" : "double"; }
  constexpr emitted_text literal(double number) const {
    emitted_text text;
    if (f_.single)
      text += c_literal(static_cast<float>(number));
    else
      text += c_literal(number);
    if (text.view().starts_with('-')) return "(" + text + ")";
    return text;
  }
  constexpr void line(const emitted_text& text) {
    for (int i = 0; i < indent_; ++i) body_ += "  ";
    body_ += text, body_ += '\n';
  }
  constexpr void open(const emitted_text& text) { line(text), ++indent_; }
  constexpr void close() { --indent_, line("}"); }
  static constexpr emitted_text times_count(const emitted_text& index) {
    const bool is_word = index.view().find(' ') == std::string_view::npos;
    return emitted_text(is_word ? "" : "(") + index + (is_word ? " * count" : ") * count");
  }
  /// An element of memory that belongs to a call; in a kernel, each thread has one of `count`.
  constexpr emitted_text element(const emitted_text& array, const emitted_text& index) const {
    if (!kernel_) return array + "[" + index + "]";
    if (index == "0U") return array + "[i]";
    return array + "[(" + times_count(index) + ") + i]";
  }
  /// The name of a variable of a formula in C.
  static constexpr emitted_text name_in_c(std::string_view name) {
    emitted_text out;
    for (const char c : name) {
      const bool digit = c >= '0' && c <= '9';
      const bool letter = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (digit && out.empty()) out += 'x';
      out += digit || letter ? c : '_';
    }
    if (is_c_word(out) || is_c_name_of_writer(out)) out += '_';
    return out;
  }
  static constexpr emitted_text numbered(emitted_text name, int number) {
    if (number >= 0) name += number;
    return name;
  }
  constexpr emitted_text name_of(const c_parameter& p) const {
    const int k = static_cast<int>(&p - f_.parameters.data()), begin = k > 0 ? name_ends_[k - 1] : 0;
    return names_.view().substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(name_ends_[k] - begin));
  }
  constexpr emitted_text name_of(const c_parameter& p, int column) const {
    if (p.is_sequence && p.count > 1) return numbered(name_of(p) + "_", column);
    return name_of(p);
  }
  constexpr emitted_text length_name(const c_parameter& p) const { return name_of(p) + "_length"; }
  constexpr const c_parameter& parameter_of(int variable) const {
    std::size_t k = 0;
    while (variable >= f_.parameters[k].first + f_.parameters[k].count) ++k;
    return f_.parameters[k];
  }
  constexpr const c_parameter& use(int variable) {
    const c_parameter& p = parameter_of(variable);
    used_[variable] = 1;
    return p;
  }

  /// How long an axis is; in what a macro repeats, the parameters as those of a macro.
  constexpr emitted_text extent(const c_axis& axis) {
    if (axis.kind == c_axis::of::constant) return c_number_of(axis.number);
    if (axis.kind == c_axis::of::parameter) {
      const int k = static_cast<int>(axis.number);
      extent_used_[k] = 1;
      if (in_macro_) extent_stored_[k] = 1;
      return (in_macro_ ? "(size_t)(n" : "n") + emitted_text() + k + (in_macro_ ? ")" : "");
    }
    const program::axis_rule& rule = f_.nests->rules[static_cast<std::size_t>(axis.number)];
    if (rule.how == program::axis_rule::form::quotient) {
      emitted_text product;
      for (program::axis_set left = rule.factors; left; left &= left - 1)
        product += (product.empty() ? "" : " * ") + extent(program::first_axis(left));
      if (product.empty()) product += "1U";
      return "((" + product + ") / " + c_number_of(rule.divisor) + ")";
    }
    if (rule.how != program::axis_rule::form::range) return sum(rule.begin);
    const std::int64_t step = rule.step.constant, size = step < 0 ? -step : step;
    if (rule.begin.count == 0 && rule.end.count == 0 && (rule.begin.constant < 0) == (rule.end.constant < 0)) {
      const std::int64_t apart = rule.end.constant - rule.begin.constant;
      return c_number_of(((step < 0 ? -apart : apart) + size - 1) / size);
    }
    const emitted_text begin = bound(rule.begin, rule.of), end = bound(rule.end, rule.of);
    if (step == 1 && begin == "0U") return end;
    const emitted_text count = step < 0 ? "(" + begin + " - " + end + ")" : "(" + end + " - " + begin + ")";
    return size == 1 ? count : "((" + count + " + " + c_number_of(size - 1) + ") / " + c_number_of(size) + ")";
  }
  constexpr emitted_text extent(int id) {
    return id < 0 ? emitted_text("1U") : extent(f_.nests->axes[static_cast<std::size_t>(id)]);
  }
  constexpr emitted_text sum(const program::extent_sum& of) {
    emitted_text out;
    int terms = 0;
    for (int k = 0; k < of.count; ++k)
      if (const emitted_text term = extent(of.axes[k]); !(term == "0U")) out += (terms++ > 0 ? " + " : "") + term;
    if (terms == 0) return c_number_of(of.constant);
    if (of.constant == 0 && terms == 1) return out;
    if (of.constant != 0)
      out += (of.constant < 0 ? " - " : " + ") + c_number_of(of.constant < 0 ? -of.constant : of.constant);
    return "(" + out + ")";
  }
  /// A bound along an axis; negative constants count from its end.
  constexpr emitted_text bound(const program::extent_sum& of, int axis) {
    if (of.count > 0 || of.constant >= 0) return sum(of);
    return "(" + extent(axis) + " - " + c_number_of(-of.constant) + ")";
  }

  /// A node as an operand.
  constexpr emitted_text atom(const c_frame& in, int i) {
    const program::node& n = in.at(i);
    switch (n.kind) {
      case program::node_kind::constant: {
        const program::constant_value& c = in.source->view.constants[n.leaf];
        return literal(f_.single ? static_cast<double>(c.as<float>()) : c.as<double>());
      }
      case program::node_kind::number: return literal(numbers_[n.leaf]);
      case program::node_kind::variable:
        if (in.loop && n.leaf >= in.loop->shape.carries && n.leaf < in.loop->shape.first_table() - 1)
          return number(*in.around, in.captured(n.leaf));
        if (!in.loop && !kernel_ && parameter_of(n.leaf).is_number) return name_of(use(n.leaf));
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

  /// A parameter as a number of steps, in a macro too.
  constexpr emitted_text steps_name(int variable) const {
    const c_parameter& p = parameter_of(variable);
    if (p.is_sequence) return length_name(p);
    return name_of(p);
  }
  /// What was stored so far: a sum of lengths and a constant.
  constexpr emitted_text stored_so_far() const {
    emitted_text out = scratch_of_nests_;
    for (int v = 0; v < scratch_.size; ++v) {
      if (scratch_[v] == 0) continue;
      if (!out.empty()) out += " + ";
      if (scratch_[v] > 1) out += "(" + c_number_of(scratch_[v]) + " * ";
      out += "(size_t)(" + steps_name(v) + (scratch_[v] > 1 ? "))" : ")");
    }
    if (!out.empty() && scratch_constant_ > 0) out += " + ";
    if (out.empty() || scratch_constant_ > 0) out += c_number_of(scratch_constant_);
    return out;
  }
  /// An array in the caller's memory, after what is stored so far.
  constexpr void point_to_scratch(const emitted_text& name) {
    line((f_.dialect == c_dialect::opencl ? "__global " : "") + type() + " *const " + name + " = &" +
         element("scratch", stored_so_far()) + ";");
  }
  constexpr void store_outputs(const c_frame& in, const c_loop& loop) {
    const operation::scan_shape& s = loop.shape;
    for (int output = s.carries; output < s.outputs(); ++output) {
      if (!loop.live[output]) continue;
      point_to_scratch(in.name('s', loop.node) + "_" + output);
      const c_extent extent = extent_of_loop(in, loop);
      if (extent.kind == c_extent::of::constant) {
        scratch_constant_ += extent.number;
      } else {
        const int variable = static_cast<int>(extent.number);
        ++scratch_[variable];
        (parameter_of(variable).is_sequence ? length_used_ : used_)[variable] = 1;
      }
    }
  }
  /// Whether the steps of a loop need their number.
  static constexpr bool reads_step(const c_loop& loop) {
    for (int output = loop.shape.carries; output < loop.shape.outputs(); ++output)
      if (loop.live[output]) return true;
    for (int i = 0; i < loop.body->view.size; ++i) {
      const program::node& n = loop.body->view.nodes[i];
      if (n.kind == program::node_kind::variable && n.leaf >= loop.shape.first_sequence() - 1) return true;
    }
    return false;
  }
  constexpr void run_loop(const c_frame& in, int i) {
    const c_loop& loop = in.source->loop(i);
    const operation::scan_shape& s = loop.shape;
    const int steps = in.operand(i, 0);
    const emitted_text n = in.name('n', i), index = in.name('i', i), more = in.name('m', i);
    const bool always = s.once && in.at(steps).kind == program::node_kind::constant;
    uses_size_ = true;
    emitted_text count = "const size_t ";
    count += in.name(s.ends ? 't' : 'n', i) + " = ";
    if (s.once && !always)
      count += condition(in, steps) + " ? 1U : 0U";
    else
      count += size(in, steps);
    line(count + ";");
    if (s.ends) line("size_t " + n + " = 0U;");
    store_outputs(in, loop);
    const auto carry = [&](int k) { return in.name('c', i) + "_" + k; };
    for (int k = 0; k < s.carries; ++k) line(type() + " " + carry(k) + " = " + number(in, in.operand(i, 1 + k)) + ";");
    c_frame body{loop.body, in.prefix, &in, &loop};
    body.prefix += i, body.prefix += '_';
    if (s.ends) {
      uses_bool_ = true;
      line("bool " + more + " = true;");
      open("while (" + more + " && (" + n + " < " + in.name('t', i) + ")) {");
      body.step = n;
    } else if (s.once) {
      open("if (" + n + " > 0U) {");
    } else {
      open("for (size_t " + index + " = 0U; " + index + " < " + n + "; ++" + index + ") {");
      body.step = index;
      if (s.reversed && reads_step(loop)) {
        body.step = in.name('t', i);
        line("const size_t " + body.step + " = " + n + " - 1U - " + index + ";");
      }
    }
    for (int k = 0; k < s.carries; ++k)
      if (loop.live[s.history(k)]) line(stored(in, i, s.history(k), body.step) + " = " + carry(k) + ";");
    program::growing_array<char> carries_read(s.carries + 1, 0);
    for (int j = 0; j < body.source->view.size; ++j) {
      const program::node& v = body.at(j);
      if (v.kind != program::node_kind::variable || v.sequence || !body.read[j]) continue;
      emitted_text from;
      if (v.leaf < s.carries)
        from = carry(v.leaf), carries_read[v.leaf] = 1;
      else if (v.leaf == s.operands() - 1)
        from = "(" + type() + ")" + body.step;
      else if (v.leaf >= s.first_sequence() - 1)
        from = sequence(in, in.operand(i, 1 + v.leaf), body.step);
      if (!from.empty()) line("const " + type() + " " + body.name('v', j) + " = " + from + ";");
    }
    write_nodes(body);
    const int* const outputs = body.source->outputs.data();
    int place = s.carries;
    for (int y = s.carries; y < s.carries + s.stacked; ++y)
      if (loop.live[y]) line(stored(in, i, y, body.step) + " = " + number(body, outputs[place++]) + ";");
    for (int k = 0; k < s.carries; ++k) line(carry(k) + " = " + number(body, outputs[k]) + ";");
    if (s.ends) {
      line(more + " = (" + carry(0) + " <= " + literal(0) + ") && (" + carry(0) + " >= " + literal(0) + ");");
      line("++" + n + ";");
    }
    close();
    for (int k = 0; k < s.carries; ++k)
      if (!carries_read[k] && !loop.live[k] && !(s.ends && k == 0)) line("(void)" + carry(k) + ";");
  }

  constexpr void write_nodes(const c_frame& in) {
    for (int i = 0; i < in.source->view.size; ++i) {
      const program::node& n = in.at(i);
      if (!in.read[i] || n.kind != program::node_kind::apply || n.count == 0 || n.sequence || n.operation->pair ||
          program::applies(n, program::info<tapeless::operation::Length>))
        continue;
      if (program::is_loop(n))
        run_loop(in, i);
      else if (program::reads_loop(n))
        line("const " + type() + " " + in.name('v', i) + " = " + in.name('c', in.operand(i, 0)) + "_" +
             n.operation->output_read + ";");
      else
        operation(in, i);
    }
  }

  constexpr void read_variables(const c_frame& in) {
    for (int i = 0; i < in.source->view.size; ++i) {
      const program::node& n = in.at(i);
      if (n.kind != program::node_kind::variable || n.sequence || !in.read[i]) continue;
      const c_parameter& p = parameter_of(n.leaf);
      if (p.is_number && !kernel_) continue;
      line("const " + type() + " " + in.name('v', i) + " = " +
           element(name_of(use(n.leaf)), c_number_of(n.leaf - p.first)) + ";");
    }
  }
  constexpr void write_results(const c_frame& in) {
    for (const c_result& r : f_.results) {
      const emitted_text name = name_of_result(r);
      const int* outputs = in.source->outputs.data() + r.first;
      const auto set = [&](int place, int output) {
        line(element(name, c_number_of(place)) + " = " + number(in, output) + ";");
      };
      if (in.at(outputs[0]).sequence) {
        uses_size_ = true;
        open("for (size_t t = 0U; t < " + length(in, outputs[0]) + "; ++t) {");
        line(element(name, "t") + " = " + sequence(in, outputs[0], "t") + ";");
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
  constexpr emitted_text shape_text(const c_shape& shape) {
    emitted_text out;
    for (int k = 0; k < shape.rank; ++k) {
      const c_axis& axis = shape.axes[static_cast<std::size_t>(k)];
      out += "[" + (axis.kind == c_axis::of::constant ? emitted_text() + axis.number : extent(axis)) + "]";
    }
    return out;
  }
  static constexpr emitted_text name_of_result(const c_result& r) { return numbered(r.name, r.number); }
  constexpr emitted_text inputs() {
    emitted_text out;
    for (const c_parameter& p : f_.parameters) {
      for (int column = 0; column < (p.is_sequence ? p.count : 1); ++column) {
        out += (out.empty() ? "" : ", ") + name_of(p, column);
        if (p.is_sequence) out += "[" + length_name(p) + "]";
        if (p.shape.rank > 0)
          out += shape_text(p.shape);
        else if (!p.is_number && !p.is_sequence)
          out += "[", out += p.count, out += "]";
      }
    }
    if (out.empty()) return "none";
    return out;
  }
  constexpr emitted_text results() {
    emitted_text out;
    for (const c_result& r : f_.results) {
      out += (out.empty() ? "" : ", ") + name_of_result(r);
      if (f_.nests) {
        out += r.shape.rank > 0 ? shape_text(r.shape) : "[1]";
        continue;
      }
      out += "[";
      if (f_.source->view.nodes[f_.source->outputs[static_cast<std::size_t>(r.first)]].sequence)
        out += "its length";
      else
        out += r.symmetric > 0 ? r.symmetric * r.symmetric : r.count;
      out += "]";
    }
    return out;
  }
  constexpr emitted_text pointer(bool constant, const emitted_text& name) const {
    const emitted_text to = (constant ? "const " : "") + type() + " *";
    switch (f_.dialect) {
      case c_dialect::opencl: return "__global " + to + "restrict " + name;
      case c_dialect::cuda: return to + "__restrict__ " + name;
      default: return to + "restrict " + name;
    }
  }
  constexpr emitted_text signature(bool stores) const {
    emitted_text out = f_.dialect == c_dialect::opencl ? "__kernel "
                       : f_.dialect == c_dialect::cuda ? "extern \"C\" __global__ "
                                                       : "";
    out += "void ", out += f_.name, out += '(';
    const auto indent = static_cast<int>(out.view().size());
    int column = indent;
    bool first = true;
    const auto add = [&](const emitted_text& parameter) {
      const int width = static_cast<int>(parameter.view().size()) + 2;
      if (!first && column + width > most_columns) {
        out += ",\n", column = indent;
        for (int k = 0; k < indent; ++k) out += ' ';
      } else if (!first) {
        out += ", ";
      }
      out += parameter, column += width, first = false;
    };
    if (kernel_) add(f_.dialect == c_dialect::opencl ? "const ulong count" : "const size_t count");
    for (const c_parameter& p : f_.parameters) {
      if (p.is_number && !kernel_)
        add("const " + type() + " " + name_of(p));
      else
        for (int k_th = 0; k_th < (p.is_sequence ? p.count : 1); ++k_th) add(pointer(true, name_of(p, k_th)));
      if (p.is_sequence) add("const size_t " + length_name(p));
    }
    for (int k = 0; k < f_.extents; ++k)
      add((f_.dialect == c_dialect::opencl ? "const ulong n" : "const size_t n") + emitted_text() + k);
    for (const c_result& r : f_.results) add(pointer(false, name_of_result(r)));
    if (stores) add(pointer(false, "scratch"));
    return out + ")";
  }
  constexpr void mark_unused() {
    for (const c_parameter& p : f_.parameters) {
      bool any = false, any_length = false;
      for (int column = 0; column < p.count; ++column) {
        any = any || used_[p.first + column], any_length = any_length || length_used_[p.first + column];
        if (p.is_sequence && !used_[p.first + column]) line("(void)" + name_of(p, column) + ";");
      }
      if (p.is_sequence && !any_length) line("(void)" + length_name(p) + ";");
      if (!p.is_sequence && !any) line("(void)" + name_of(p) + ";");
    }
    for (int k = 0; k < f_.extents; ++k)
      if (!extent_used_[k]) line("(void)n" + emitted_text() + k + ";");
  }

 public:
  constexpr c_writer(const c_function& f, const double* numbers)
      : f_(f), numbers_(numbers), kernel_(f.dialect != c_dialect::c99) {
    int variables = 0;
    for (const c_parameter& p : f.parameters) {
      variables += p.count;
      // No conditional operator: g++ 12 destroys such values twice in constant evaluation.
      if (!p.is_writers)
        names_ += name_in_c(p.name);
      else if (p.member < 0)
        names_ += numbered(p.name, p.number);
      else
        names_ += numbered(numbered(p.name, p.number) + "_", p.member);
      name_ends_.push_back(static_cast<int>(names_.view().size()));
    }
    extent_used_ = extent_stored_ = {f.extents, 0};
    used_ = {variables, 0}, length_used_ = {variables, 0}, scratch_ = {variables, 0};
  }

 protected:
  /// With what `compute(the program)` writes.
  template <class Compute>
  constexpr emitted_text write(std::string_view comment, const Compute& compute) {
    c_frame all{f_.source, ""};
    indent_ = kernel_ ? 2 : 1;
    compute(all);
    const emitted_text computed = std::move(body_);
    body_ = {}, indent_ = 1;
    mark_unused();
    const emitted_text unused = std::move(body_);

    bool stores = scratch_constant_ > 0 || !scratch_of_nests_.empty();
    for (const std::size_t count : scratch_) stores = stores || count > 0;
    emitted_text out = "/* ";
    out += comment;
    out += "\n   Inputs: " + inputs() + ".\n   Results: " + results();
    out += ". */\n";
    if (f_.dialect == c_dialect::opencl) {
      if (!f_.single) out += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    } else if (!kernel_) {
      out += "#include <math.h>\n";
      if (uses_bool_) out += "#include <stdbool.h>\n";
      if (uses_size_) out += "#include <stddef.h>\n";
    }
    out += '\n';
    if (stores) {
      emitted_text arguments;
      for (int v = 0; v < scratch_.size; ++v)
        if (scratch_[v] > 0) arguments += (arguments.empty() ? "(" : ", ") + steps_name(v);
      for (int k = 0; k < f_.extents; ++k)
        if (extent_stored_[k]) arguments += (arguments.empty() ? "(n" : ", n") + emitted_text() + k;
      if (!arguments.empty()) arguments += ')';
      out += "#define ", out += f_.name, out += "_scratch" + arguments;
      out += " (" + stored_so_far() + ")\n\n";
    }
    out += helpers_;
    if (!kernel_) out += signature(stores) + ";\n\n";
    out += signature(stores) + "\n{\n";
    if (f_.dialect == c_dialect::opencl) line("const size_t i = get_global_id(0);");
    if (f_.dialect == c_dialect::cuda) line("const size_t i = ((size_t)blockIdx.x * blockDim.x) + threadIdx.x;");
    out += body_ + unused;
    if (kernel_) out += "  if (i < count) {\n";
    out += computed;
    if (kernel_) out += "  }\n";
    return out + "}\n";
  }

 public:
  constexpr emitted_text write(std::string_view comment) {
    return write(comment, [this](const c_frame& all) { read_variables(all), write_nodes(all), write_results(all); });
  }
};

}  // namespace tapeless::detail
