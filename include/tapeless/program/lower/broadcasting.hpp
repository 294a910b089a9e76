#pragma once

#include <tapeless/program/lower/unified_axes.hpp>

#include <array>

namespace tapeless::program {

/// What values are broadcast to.
class broadcasting : public unified_axes {
 protected:
  using unified_axes::unified_axes;

  constexpr tensor_access access_of(const tensor_value& value) const {
    tensor_access result{access_kind::variable, 0, value.rank, value.axes};
    for (int i = 0; i < value.rank; ++i)
      if (int& id = result.axes.data()[i]; id >= 0) id = axis_of(id);
    return result;
  }
  constexpr int moved(tensor_move move, int operand, int indices = -1) {
    if (indices >= 0 && varies_over_batch(indices)) problem = tensor_problem::indices_of_batch;
    if (varies_over_batch(operand)) lead_with_batch(move.from), lead_with_batch(move.to), ++move.position;
    const int operands[] = {graph.as_number(operand), indices};
    return graph.append_move(info<operation::Move>, &move, operands, indices < 0 ? 1 : 2);
  }
  constexpr bool is_one_axis(int a, int b) const {
    return a >= 0 && b >= 0 && (explicit_ ? a == b : root(a) == root(b));
  }
  /// Gives a shape whose axes are explicit one of its own where one would occur twice.
  constexpr void separate(tensor_value& shape) {
    for (int i = 0; i < shape.rank; ++i)
      for (int j = 0; j < i; ++j)
        if (int& id = shape.axes.data()[i]; id >= 0 && id == shape.axes.data()[j]) id = broadcast_axis(id, id, 0);
  }
  /// The node of a value broadcast to a shape.
  constexpr int spread(const tensor_value& value, const tensor_value& shape) {
    tensor_access to = access_of(value);
    bool same = true;
    for (int back = 1; back <= value.rank; ++back)
      if (int& id = to.axes.data()[value.rank - back]; id >= 0 && id != axis_from_back(shape, back))
        id = axis_from_back(shape, back), same = false;
    if (same) return value.node;
    const int node = moved({move_kind::broadcast, access_of(value), to, 0, {}}, value.node);
    if (!graph.nodes[value.node].condition) return node;
    const int compared[] = {node, graph.constant(0)};
    return graph.append(info<operation::NotEqual>, compared, 2);
  }
  /// Gives indices axes of their own if `shape` has one of theirs elsewhere than at `position`.
  constexpr void keep_explicit(tensor_value& indices, const tensor_value& shape, int position) {
    tensor_value own{-1, indices.rank, indices.axes};
    bool meets = false;
    for (int i = 0; i < shape.rank; ++i)
      for (int k = 0; k < indices.rank; ++k) {
        const int id = indices.axes.data()[k];
        if (i == position || !is_one_axis(shape.axes.data()[i], id)) continue;
        if (!explicit_) return rename(indices, shape, indices.rank);
        own.axes.data()[k] = broadcast_axis(id, id, 0), meets = true;
      }
    if (!meets) return;
    indices.node = spread(indices, own);
    indices.axes = own.axes;
  }
  /// Gives matrices other leading axes, which they are broadcast to.
  constexpr void lead_with(tensor_value& value, const tensor_value& leading) {
    bool meets = false;
    for (int i = value.rank - 2; i < value.rank; ++i)
      for (int j = 0; j < leading.rank; ++j) meets = meets || is_one_axis(value.axes.data()[i], leading.axes.data()[j]);
    // An axis of the matrices that is a leading one of the others' is another axis.
    if (meets && !explicit_) {
      rename(value, leading, 2);
      if (!unite_all(leading, part_of(value, 2))) problem = tensor_problem::too_many_axes;
    }
    tensor_value shape{-1, leading.rank + 2, leading.axes};
    for (int i = 0; i < 2; ++i) shape.axes.data()[leading.rank + i] = value.axes.data()[value.rank - 2 + i];
    if (explicit_) separate(shape), value.node = spread({value.node, value.rank, value.axes}, shape);
    value.rank = shape.rank, value.axes = shape.axes;
  }
  /// The shape that two values are broadcast to; where uniting axes would make a diagonal of a value, the second gets
  /// axes of its own.
  constexpr tensor_value align(tensor_value a, tensor_value& b) {
    unite_or_rename(a, b);
    return joined(a, b);
  }
  /// The shape that two values are broadcast to whose axes are unified already, or are explicit.
  constexpr tensor_value joined(const tensor_value& a, const tensor_value& b) {
    tensor_value result{-1, a.rank > b.rank ? a.rank : b.rank, {}};
    for (int back = 1; back <= result.rank; ++back) {
      const int i = axis_from_back(a, back), j = axis_from_back(b, back);
      result.axes.data()[result.rank - back] = i < 0 ? j : j < 0 ? i : join(i, j);
    }
    return result;
  }
  /// A value without its last axes, or with one in the place of which none stands.
  static constexpr tensor_value part_of(tensor_value value, int last, int without = -1) {
    value.rank -= last;
    if (without >= 0) value.axes.data()[without] = -1;
    return value;
  }
  /// Unites the axes of such a part with those of a shape; where that would make a diagonal, the value as a whole gets
  /// axes of its own.
  constexpr void unite_or_rename(const tensor_value& shape, tensor_value& value, int last = 0, int without = -1) {
    if (explicit_ || unite_all(shape, part_of(value, last, without))) return;
    rename(value, shape, last, without);
    if (!unite_all(shape, part_of(value, last, without))) problem = tensor_problem::too_many_axes;
  }
  static constexpr int axis_from_back(const tensor_value& value, int back) {
    return back <= value.rank ? value.axes.data()[value.rank - back] : -1;
  }
  constexpr bool unite_all(const tensor_value& a, const tensor_value& b) {
    for (int back = 1; back <= a.rank || back <= b.rank; ++back) {
      const int i = axis_from_back(a, back), j = axis_from_back(b, back);
      if (i >= 0 && j >= 0 && !unite(i, j)) return false;
      // An axis of one must not meet the same axis elsewhere in the other.
      for (int other = 1; other <= a.rank || other <= b.rank; ++other) {
        if (other == back) continue;
        const int k = axis_from_back(b, other);
        if (i >= 0 && k >= 0 && root(i) == root(k)) return false;
      }
    }
    return true;
  }
  /// Computes a value once more with axes of its own, which meets `other` with a part of its axes: also those that are
  /// reduced on the way, and those that are moved to others if `other` has them.
  constexpr void rename(tensor_value& value, const tensor_value& other, int last, int without = -1) {
    growing_array<char> wanted(graph.nodes.size, 0);
    axis_set old = 0, along = 0, read = 0, met = 0;
    for (int i = 0; i < other.rank; ++i)
      if (const int id = other.axes.data()[i]; id >= 0) met |= axis(root(id));
    for (int i = 0; i < value.rank; ++i)
      if (const int id = value.axes.data()[i]; id >= 0) old |= axis(root(id));
    const auto varies = [&](int i) { return (canonical(graph.nodes[i].axes) & old) != 0; };
    wanted[value.node] = varies(value.node);
    // An axis that ends is another for what has been passed over, too.
    for (axis_set before = 0; before != old;) {
      before = old;
      for (int i = value.node; i >= 0; --i) {
        if (!wanted[i]) continue;
        const node& n = graph.nodes[i];
        axis_set ends = canonical(n.reduced);
        read |= n.axes | n.reduced;
        if (n.kind == node_kind::apply && n.operation->moves)
          for (const tensor_move& move : moves_of(graph, n)) {
            read |= move.from.set();
            along |= canonical(move.from.set()), ends |= canonical(move.from.set()) & ~canonical(n.axes) & met;
          }
        along |= canonical(n.reduced), old |= ends;
        for (int j = 0; j < n.count; ++j)
          if (const int operand = graph.operands(i)[j]; varies(operand)) wanted[operand] = 1;
      }
    }
    const int first_new = sources_.size;
    const growing_array<int> fresh = further_axes(read, old, value, part_of(value, last, without), other);
    const renumbered how{{}, fresh};
    for (int i = 0; i < value.rank; ++i)
      if (int& id = value.axes.data()[i]; id >= 0) {
        const axis_set own = members_[id];
        id = fresh[axis_of(id)];
        members_[id] = own;
      }
    // In their order: what a rule needs is known before it.
    for (int i = 0, count = graph.axis_rules.size; i < count; ++i)
      if (fresh[graph.axis_rules[i].axis] >= first_new) graph.axis_rules.push_back(how.rule(graph.axis_rules[i]));
    growing_array<int> copy(graph.nodes.size, -1), operands;
    for (int i = 0; i <= value.node; ++i) {
      copy[i] = i;
      if (!wanted[i]) continue;
      const node n = graph.nodes[i];
      operands.size = 0;
      for (int j = 0; j < n.count; ++j) operands.push_back(copy[graph.operands(i)[j]]);
      copy[i] = copy_node(graph, graph, n, operands.data, how);
    }
    value.node = copy[value.node];
    // Where it matters how long an axis is, it does of the new one.
    for (int i = 0, count = uses_.size; i < count; ++i)
      if (extent_use use = uses_[i]; fresh[use.axis] >= 0 && (along & axis(root(use.axis)))) {
        use.axis = fresh[use.axis];
        note(use);
      }
  }
  /// For the axes of `read` that are unified with one of `old` others, which stand for them: those of an earlier copy
  /// where they fit, so that what has been copied is found again instead of computed again, and further ones.
  constexpr growing_array<int> further_axes(axis_set read, axis_set old, const tensor_value& value,
                                            const tensor_value& part, const tensor_value& other) {
    growing_array<int> fresh(parents_.size, -1), of_root(parents_.size, -1), found = fresh;
    for (int copy = 0, most = 0; copy < copies_.size; copy += first_joined)
      if (const int count = axes_again(copies_.data + copy, found, read, old, value, part, other); count > most)
        most = count, fresh = found;
    const int first_new = sources_.size;
    for (; read; read &= read - 1) {
      const int id = first_axis(read);
      if (!(old & axis(root(id)))) continue;
      int& further = of_root[root(id)];
      if (fresh[id] >= 0) further = fresh[id];
      if (further < 0) further = new_axis(-1, sources_[id]), stands_for_[further] = 0;
      fresh[id] = further;
      stands_for_[further] |= stands_for_[id];
      if (declared_[id] >= 0) declared_[further] = extents_[further] = declared_[id];
    }
    if (sources_.size > first_new)
      for (int id = 0; id < first_joined; ++id) copies_.push_back(fresh[id]);
    return fresh;
  }
  /// The same axes as in an earlier copy, and how many; -1 for those that are not in it. None where the value would not
  /// meet `other` by them as it is unified already.
  constexpr int axes_again(const int* earlier, growing_array<int>& again, axis_set read, axis_set old,
                           const tensor_value& value, const tensor_value& part, const tensor_value& other) const {
    growing_array<int> of_root(parents_.size, -1);
    axis_set differ = 0, met = 0, taken = 0;
    for (axis_set left = read; left; left &= left - 1) {
      const int now = earlier[first_axis(left)], at = root(first_axis(left));
      if (of_root[at] < 0) of_root[at] = now;
      if (now >= 0 && now != of_root[at]) differ |= axis(at);
    }
    for (axis_set left = read; left; left &= left - 1) {
      const int id = first_axis(left), now = of_root[root(id)];
      if (now < 0 || (declared_[id] >= 0 && declared_[id] != declared_[now])) differ |= axis(root(id));
    }
    for (int i = 0; i < value.rank; ++i)
      if (const int id = value.axes.data()[i], now = id < 0 ? -1 : of_root[root(id)]; now >= 0)
        if (members_[now] != members_[id]) differ |= axis(root(id));
    int count = 0;
    for (axis_set left = read; left; left &= left - 1) {
      const int id = first_axis(left), at = root(id);
      again[id] = (old & ~differ & axis(at)) ? of_root[at] : -1;
      if (again[id] >= 0) ++count;
    }
    // Axes that differ must not become one.
    for (axis_set left = canonical(read); left; left &= left - 1) {
      const int at = first_axis(left);
      if ((old & axis(at)) && (differ & axis(at))) continue;
      const axis_set to = axis(root((old & axis(at)) ? of_root[at] : at));
      if (taken & to) return 0;
      taken |= to;
    }
    for (int i = 0; i < other.rank; ++i)
      if (const int id = other.axes.data()[i]; id >= 0) met |= axis(root(id));
    for (int i = 0; i < value.rank; ++i) {
      const int id = value.axes.data()[i];
      if (id < 0) continue;
      const int now = again[axis_of(id)],
                unified = i < part.rank && part.axes.data()[i] >= 0 ? axis_from_back(other, part.rank - i) : -1;
      if (now >= 0 ? (met & axis(root(now))) && (unified < 0 || root(unified) != root(now))
                   : unified >= 0 && (taken & axis(root(unified))))
        return 0;
      if (now >= 0 && unified >= 0 && root(unified) != root(now)) return 0;
    }
    return count;
  }
  // The axes of each copy, by those that they stand for.
  growing_array<int> copies_;
};

}  // namespace tapeless::program
