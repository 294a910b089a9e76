#pragma once

#include <tapeless/emit/element_writer.hpp>

#include <cstdint>

namespace tapeless::detail {

/// Writes moves of elements.
class c_move_writer : public c_element_writer {
 protected:
  using c_element_writer::c_element_writer;

  constexpr void loops_over(const program::tensor_access& access) {
    for (int k = 0; k < access.rank; ++k) loop(k, access.axes[k]);
  }
  /// Copies elements of tensors as a move says.
  constexpr void move(int i) {
    if (!frame_->read[i]) return;
    const program::tensor_move* const moves = &move_of(i);
    if (is_variable_of_c(*buffer_of(i)))
      line(type() + " " + frame_->name('v', i) + " = " + literal(0) + ";"), declare(i);
    fill_before(i, moves[0]);
    for (int j = 0; j < (moves[0].has_indices() ? 1 : at(i).count); ++j) move_part(i, frame_->operand(i, j), moves[j]);
  }
  /// What a move adds to, or the zeros around what it writes.
  constexpr void fill_before(int i, const program::tensor_move& m) {
    const bool adds = m.kind == program::move_kind::put, onto = adds && at(i).count == 3;
    if (!adds && !m.leaves_gaps(at(i).count)) return;
    const auto here = [&](int, int axis) { return index(position_in(m.to, axis)); };
    const emitted_text to = element_at(i, here), from = onto ? element_at(frame_->operand(i, 2), here) : literal(0);
    if (to.view() != from.view()) loops_over(m.to), line(to + " = " + from + ";"), close_all(m.to.rank);
  }
  /// The loops over one side of a move, the result's if each of its elements has a source. On the other side the index
  /// is `t` along the axis of the move; of moves without such a place it is the loop's own.
  constexpr void move_part(int i, int from, const program::tensor_move& m) {
    using enum program::move_kind;
    const bool back = m.kind == accumulate_back, sums = back || m.kind == accumulate;
    const bool gathers = sums || m.kind == slice || m.kind == take || m.kind == reshape;
    const program::tensor_access &every = gathers ? m.to : m.from, &other = gathers ? m.from : m.to;
    loops_over(every);
    const bool is_along = m.kind == reshape ? other.set() != 0 : other.axes[m.position] >= 0;
    const bool has_place = back || (!sums && is_along);
    const emitted_text k = index(m.position);
    const emitted_text here = back ? emitted_text("t") : k, there = has_place ? emitted_text("t") : k;
    bool reads_t = false;
    const auto index_there = [&](int, int axis) {
      const int p = position_in(other, axis);
      if (m.kind == reshape && extent(axis).view() == "1U") return emitted_text("0U");
      reads_t = reads_t || m.kind == reshape || p == m.position;
      if (m.kind != reshape) return p == m.position ? there : index(p);
      const emitted_text after = size_of(other.axes + p + 1, other.rank - p - 1);
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
    emitted_text to = gathers ? element_at(i, index_here(here)) : element_at(i, index_there);
    to += m.kind == put ? " += " : " = ";
    to += gathers && !sums ? element_at(from, index_there) : element_at(from, index_here(here));
    if (sums && every.axes[m.position] >= 0)
      to += " + ((" + k + " > 0U) ? " + element_at(i, index_here("(" + here + (back ? " + 1U)" : " - 1U)"))) + " : " +
            literal(0) + ")";
    // Asked only now, as what the place is made of may be read nowhere else.
    const bool names_place = reads_t && has_place, in_block = names_place && every.rank == 0;
    if (in_block) open("{");
    if (names_place) line("const size_t t = " + place_of_move(i, m, every, other) + ";");
    line(to + ";");
    close_all(every.rank + (in_block ? 1 : 0));
  }
  /// Where the other side of a move is along its axis; for a reshape, in row-major order.
  constexpr emitted_text place_of_move(int i, const program::tensor_move& m, const program::tensor_access& every,
                                       const program::tensor_access& other) {
    using enum program::move_kind;
    const emitted_text k = index(m.position);
    const auto length = [&] { return extent(other.axes[m.position]); };
    if (m.kind == accumulate_back) return length() + " - 1U - " + k;
    if (m.kind == reshape) return offset(every.axes, every.rank, [&](int p, int) { return index(p); });
    if (m.has_indices()) {
      const emitted_text n = element_at(frame_->operand(i, 1), [&](int, int) { return k; });
      // Of integers as they are: one that is negative is more than the length, as a size.
      if (const emitted_text cast = "(" + type() + ")"; n.view().starts_with(cast)) {
        const emitted_text own = n.view().substr(cast.view().size()), as_size = "(size_t)" + own;
        return m.segments
                   ? as_size
                   : "(" + as_size + " < " + length() + ") ? " + as_size + " : (" + length() + " + " + as_size + ")";
      }
      return m.segments ? "(size_t)" + n
                        : "(size_t)((" + n + " < " + literal(0) + ") ? (" + n + " + (" + type() + ")" + length() +
                              ") : " + n + ")";
    }
    if (m.kind == roll || m.kind == unroll) {
      const program::extent_sum size = known(m.begin);
      const bool back = (size.number < 0 && size.constant < 0) != (m.kind == unroll);
      emitted_text by = c_number_of(size.constant < 0 ? -size.constant : size.constant);
      if (size.number >= 0) {
        const emitted_text n = integer(size.number);
        by = "((" + n + " < 0) ? (" + length() + " - ((size_t)(-" + n + ") % " + length() + ")) : (size_t)" + n + ")";
      }
      by += " % " + length();
      return "(" + k + " + (" + (back ? length() + " - (" + by + ")" : by) + ")) % " + length();
    }
    const emitted_text begin = bound(m.begin, other.axes[m.position]);
    const program::range_step by = known(m.step);
    if (by.number >= 0) return begin + " + (" + k + " * " + integer_as_size(by.number) + ")";
    const std::int64_t step = by.constant;
    const emitted_text on = step == 1 || step == -1 ? k : "(" + k + " * " + c_number_of(step < 0 ? -step : step) + ")";
    return step > 0 && begin == "0U" ? on : begin + (step < 0 ? " - " : " + ") + on;
  }
};

}  // namespace tapeless::detail
