#pragma once

#include <tapeless/emit/value_writer.hpp>

#include <string_view>

namespace tapeless::detail {

/// Writes a program of numbers, with its loops.
class c_loop_writer : c_value_writer {
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
    const emitted_text n = in.name('n', i), index = in.name('i', i);
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
    open_steps(in, i, s, n);
    if (s.ends) {
      body.step = n;
    } else if (!s.once) {
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
    if (s.ends) end_step(in, i, n, carry(0));
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
      if (c_function_writer::is_by_value(p)) continue;
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

 public:
  using c_value_writer::c_value_writer;

  constexpr emitted_text write(std::string_view comment) {
    c_frame all{f_.source, ""};
    return c_function_writer::write(comment, [&] { read_variables(all), write_nodes(all), write_results(all); });
  }
};

}  // namespace tapeless::detail
