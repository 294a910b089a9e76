#pragma once

#include <tapeless/emit/function.hpp>
#include <tapeless/emit/literal.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tapeless::detail {

/// Writes what is around the statements of a function.
class c_function_writer {
  static constexpr int most_columns = 100;

 protected:
  const c_function& f_;
  const double* numbers_;
  emitted_text body_, helpers_;
  int indent_ = 1;
  /// How often the length of each variable is stored.
  program::growing_array<std::size_t> scratch_;
  std::int64_t scratch_constant_ = 0;
  /// Of what nests of loops store, and which extents that depends on.
  emitted_text scratch_of_nests_;
  bool in_macro_ = false, in_comment_ = false;
  /// Lengths that integers decide, which have names of their own.
  emitted_text lengths_;
  int named_lengths_ = 0;
  /// How many variables the parameters are; after them come integers.
  int variables_ = 0, integers_ = 0;
  /// The programs around what is written, the innermost last.
  program::growing_array<const c_plan*> scope_;
  bool kernel_;
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
  /// The name of a variable of a formula in C, another one for each.
  constexpr emitted_text name_in_c(std::string_view name) const {
    emitted_text out;
    for (const char c : name) out += is_of_c_name(c) ? c : '_';
    if (out.empty() || begins_with_digit(out) || is_reserved_in_c(out)) out = "x" + out;
    if (is_c_word(out) || is_c_name_of_writer(out)) out += '_';
    while (is_name_of_parameter(out)) out += '_';
    return out;
  }
  /// Whether a parameter has it so far.
  constexpr bool is_name_of_parameter(std::string_view name) const {
    bool found = false;
    for (int k = 0; k < name_ends_.size; ++k)
      found = found || name_of(f_.parameters[static_cast<std::size_t>(k)]) == name;
    return found;
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
    while (variable < f_.parameters[k].first || variable >= f_.parameters[k].first + f_.parameters[k].count) ++k;
    return f_.parameters[k];
  }

  constexpr bool is_by_value(const c_parameter& p) const { return p.is_number && (p.is_integer || !kernel_); }
  /// Where a text has a name, from `begin` on.
  static constexpr std::size_t find_name(std::string_view text, std::string_view name, std::size_t begin = 0) {
    for (std::size_t k = text.find(name, begin); k != std::string_view::npos; k = text.find(name, k + 1)) {
      const std::size_t end = k + name.size();
      if ((k == 0 || !is_of_c_name(text[k - 1])) && (end == text.size() || !is_of_c_name(text[end]))) return k;
    }
    return std::string_view::npos;
  }
  static constexpr bool has_name(std::string_view text, std::string_view name) {
    return find_name(text, name) != std::string_view::npos;
  }
  /// An integer among the arguments; in what a macro repeats, as one of the macro.
  constexpr emitted_text integer(int number) {
    const int place = variables_ + number;
    const c_parameter& p = parameter_of(place);
    emitted_text out = in_macro_ ? "(" + name_of(p) + ")" : name_of(p);
    if (!p.is_number) out += "[" + c_number_of(place - p.first) + "]";
    return out;
  }
  constexpr emitted_text integer_as_size(int number) { return "(size_t)" + integer(number); }
  /// With the numbers that a formula has.
  template <class Integer>
  constexpr Integer known(Integer of) const {
    if (of.number >= 0 && integers_ == 0) of.constant += static_cast<std::int64_t>(numbers_[of.number]), of.number = -1;
    return of;
  }

  /// How long an axis is; in what a macro repeats, the parameters as those of a macro.
  constexpr emitted_text extent(const c_axis& axis) {
    if (axis.kind == c_axis::of::constant) return c_number_of(axis.number);
    if (axis.kind == c_axis::of::parameter) {
      const int k = static_cast<int>(axis.number);
      return (in_macro_ ? "(size_t)(n" : "n") + emitted_text() + k + (in_macro_ ? ")" : "");
    }
    const int inside = scope_.size;
    scope_.size = axis.depth + 1;
    const emitted_text text = length_by(scope_[axis.depth]->rules[static_cast<std::size_t>(axis.number)]);
    scope_.size = inside;
    if (in_macro_ || in_comment_ || text.view().find('?') == std::string_view::npos) return text;
    const std::size_t found = lengths_.view().find((" = " + text + ";").view());
    if (found != std::string_view::npos) {
      const std::string_view before = lengths_.view().substr(0, found);
      return before.substr(before.rfind(' ') + 1);
    }
    const emitted_text name = "n" + emitted_text() + (f_.extents + named_lengths_++);
    lengths_ += "  const size_t " + name + " = " + text + ";\n";
    return name;
  }
  constexpr emitted_text length_by(const program::axis_rule& rule) {
    if (rule.how == program::axis_rule::form::quotient) {
      emitted_text product;
      for (program::axis_set left = rule.factors; left; left &= left - 1)
        product += (product.empty() ? "" : " * ") + extent(program::first_axis(left));
      if (product.empty()) return c_number_of(1 / rule.divisor);
      return "((" + product + ") / " + c_number_of(rule.divisor) + ")";
    }
    if (rule.how == program::axis_rule::form::element) return "1U";
    if (rule.how != program::axis_rule::form::range) return sum(rule.begin);
    const program::extent_sum first = known(rule.begin), last = known(rule.end);
    const program::range_step by = known(rule.step);
    const std::int64_t step = by.constant, size = step < 0 ? -step : step;
    const auto is_constant = [](const program::extent_sum& of) { return of.count == 0 && of.number < 0; };
    if (is_constant(first) && is_constant(last) && by.number < 0 && (first.constant < 0) == (last.constant < 0)) {
      const std::int64_t apart = last.constant - first.constant;
      return c_number_of(((step < 0 ? -apart : apart) + size - 1) / size);
    }
    const emitted_text begin = bound(first, rule.of), end = bound(last, rule.of);
    if (by.number >= 0) {
      const emitted_text s = integer(by.number), back = "(size_t)(-" + s + ")", forth = "(size_t)" + s;
      return "((" + s + " < 0) ? (((" + begin + " - " + end + ") + (" + back + " - 1U)) / " + back + ") : (((" + end +
             " - " + begin + ") + (" + forth + " - 1U)) / " + forth + "))";
    }
    if (step == 1 && begin == "0U") return end;
    const emitted_text count = step < 0 ? "(" + begin + " - " + end + ")" : "(" + end + " - " + begin + ")";
    return size == 1 ? count : "((" + count + " + " + c_number_of(size - 1) + ") / " + c_number_of(size) + ")";
  }
  constexpr emitted_text extent(int id) {
    return id < 0 ? emitted_text("1U") : extent(scope_[scope_.size - 1]->axes[static_cast<std::size_t>(id)]);
  }
  constexpr emitted_text sum(const program::extent_sum& carried) {
    const program::extent_sum of = known(carried);
    emitted_text out;
    int terms = 0;
    if (of.number >= 0) out = integer_as_size(of.number), ++terms;
    for (int k = 0; k < of.count; ++k)
      if (const emitted_text term = extent(of.axes[k]); !(term == "0U")) out += (terms++ > 0 ? " + " : "") + term;
    if (terms == 0) return c_number_of(of.constant);
    if (of.constant == 0 && terms == 1) return out;
    if (of.constant != 0)
      out += (of.constant < 0 ? " - " : " + ") + c_number_of(of.constant < 0 ? -of.constant : of.constant);
    return "(" + out + ")";
  }
  /// A bound along an axis; negative numbers count from its end.
  constexpr emitted_text bound(const program::extent_sum& carried, int axis) {
    const program::extent_sum of = known(carried);
    if (of.number >= 0)
      return "((" + integer(of.number) + " < 0) ? (" + extent(axis) + " + " + sum(of) + ") : " + sum(of) + ")";
    if (of.count > 0 || of.constant >= 0) return sum(of);
    return "(" + extent(axis) + " - " + c_number_of(-of.constant) + ")";
  }

  /// A parameter as a number of steps, in a macro too.
  constexpr emitted_text steps_name(const c_parameter& p) const {
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
      out += "(size_t)(" + steps_name(parameter_of(v)) + (scratch_[v] > 1 ? "))" : ")");
    }
    if (!out.empty() && scratch_constant_ > 0) out += " + ";
    if (out.empty() || scratch_constant_ > 0) out += c_number_of(scratch_constant_);
    return out;
  }
  /// A pointer to an element of the caller's memory.
  constexpr void point_to(const emitted_text& element, const emitted_text& name, bool constant = false) {
    line((f_.dialect == c_dialect::opencl ? "__global " : "") + emitted_text(constant ? "const " : "") + type() +
         " *const " + name + " = &" + element + ";");
  }
  /// An array in the caller's memory, after what is stored so far.
  constexpr void point_to_scratch(const emitted_text& name) { point_to(element("scratch", stored_so_far()), name); }
  constexpr emitted_text shape_text(const c_shape& shape) {
    emitted_text out = shape.rank == 0 ? "[1]" : "";
    for (int k = 0; k < shape.rank; ++k) {
      const c_axis& axis = shape.axes[static_cast<std::size_t>(k)];
      out += '[';
      if (axis.kind == c_axis::of::unknown)
        out += "its length";
      else if (axis.kind == c_axis::of::constant)
        out += axis.number;
      else
        out += extent(axis);
      out += ']';
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
      out += shape_text(r.shape);
    }
    return out;
  }
  constexpr emitted_text type_of(const c_parameter& p) const {
    const bool opencl = f_.dialect == c_dialect::opencl;
    if (p.is_integer) return opencl ? "long" : "ptrdiff_t";
    if (p.bits == 0) return type();
    const int size = p.bits < 0 ? -p.bits : p.bits;
    const emitted_text sign = p.bits < 0 ? "u" : "";
    if (!opencl) return sign + "int" + size + "_t";
    return sign + (size == 8 ? "char" : size == 16 ? "short" : size == 32 ? "int" : "long");
  }
  constexpr emitted_text pointer(bool constant, const emitted_text& name, const emitted_text& type) const {
    const emitted_text to = (constant ? "const " : "") + type + " *";
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
      const emitted_text own = type_of(p);
      if (is_by_value(p))
        add("const " + own + " " + name_of(p));
      else
        for (int k_th = 0; k_th < (p.is_sequence ? p.count : 1); ++k_th) add(pointer(true, name_of(p, k_th), own));
      if (p.is_sequence) add("const size_t " + length_name(p));
    }
    for (int k = 0; k < f_.extents; ++k)
      add((f_.dialect == c_dialect::opencl ? "const ulong n" : "const size_t n") + emitted_text() + k);
    for (const c_result& r : f_.results) add(pointer(false, name_of_result(r), type()));
    if (stores) add(pointer(false, "scratch", type()));
    return out + ")";
  }
  /// A use of what else has none in a text.
  constexpr void mark_unused(const emitted_text& name, std::string_view text) {
    if (!has_name(text, name)) line("(void)" + name + ";");
  }

 public:
  constexpr c_function_writer(const c_function& f, const double* numbers)
      : f_(f), numbers_(numbers), kernel_(f.dialect != c_dialect::c99) {
    scope_.push_back(&f.source->plan);
    for (const c_parameter& p : f.parameters) {
      (p.is_integer ? integers_ : variables_) += p.count;
      if (!p.is_writers)
        names_ += name_in_c(p.name);
      else if (p.member < 0)
        names_ += numbered(p.name, p.number);
      else
        names_ += numbered(numbered(p.name, p.number) + "_", p.member);
      name_ends_.push_back(static_cast<int>(names_.view().size()));
    }
    scratch_ = {variables_, 0};
  }

 protected:
  /// With what `compute()` writes.
  template <class Compute>
  constexpr emitted_text write(std::string_view comment, const Compute& compute) {
    indent_ = kernel_ ? 2 : 1;
    compute();
    const emitted_text computed = std::move(body_);
    body_ = {}, indent_ = 1;
    const emitted_text all = lengths_ + computed;
    for (const c_parameter& p : f_.parameters) {
      for (int column = 0; column < (p.is_sequence ? p.count : 1); ++column) mark_unused(name_of(p, column), all);
      if (p.is_sequence) mark_unused(length_name(p), all);
    }
    for (int k = 0; k < f_.extents + named_lengths_; ++k)
      mark_unused("n" + emitted_text() + k, k < f_.extents ? all : computed);
    const emitted_text unused = std::move(body_);

    const bool stores = has_name(computed, "scratch");
    const emitted_text heading = signature(stores);
    emitted_text out = "/* ";
    in_comment_ = true;
    out += comment;
    out += "\n   Inputs: " + inputs() + ".\n   Results: " + results();
    out += ". */\n";
    if (f_.dialect == c_dialect::opencl) {
      if (!f_.single) out += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    } else if (!kernel_) {
      out += "#include <math.h>\n";
      if (has_name(computed, "bool")) out += "#include <stdbool.h>\n";
      if (has_name(heading, "size_t") || has_name(all, "size_t")) out += "#include <stddef.h>\n";
      bool uses_bits = false;
      for (const c_parameter& p : f_.parameters) uses_bits = uses_bits || p.bits != 0;
      if (uses_bits) out += "#include <stdint.h>\n";
    }
    out += '\n';
    if (stores) {
      const emitted_text size = stored_so_far();
      emitted_text arguments;
      const auto add = [&](const emitted_text& name) {
        if (has_name(size, name)) arguments += (arguments.empty() ? "(" : ", ") + name;
      };
      for (const c_parameter& p : f_.parameters) add(steps_name(p));
      for (int k = 0; k < f_.extents; ++k) add("n" + emitted_text() + k);
      if (!arguments.empty()) arguments += ')';
      out += "#define ", out += f_.name, out += "_scratch" + arguments + " (" + size + ")\n\n";
    }
    out += helpers_;
    if (!kernel_) out += heading + ";\n\n";
    out += heading + "\n{\n";
    if (f_.dialect == c_dialect::opencl) line("const size_t i = get_global_id(0);");
    if (f_.dialect == c_dialect::cuda) line("const size_t i = ((size_t)blockIdx.x * blockDim.x) + threadIdx.x;");
    out += body_ + lengths_ + unused;
    if (kernel_) out += "  if (i < count) {\n";
    out += computed;
    if (kernel_) out += "  }\n";
    return out + "}\n";
  }
};

}  // namespace tapeless::detail
