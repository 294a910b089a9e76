#pragma once

#include <tapeless/program/lower/unified_axes.hpp>

namespace tapeless::program {

/// What values are broadcast to.
class broadcasting : public unified_axes {
 public:
  /// The outputs of the functions that are lowered. Each is the last of its copies, so that the others need not be
  /// computed.
  growing_array<tensor_value> followed;

 protected:
  using unified_axes::unified_axes;

  constexpr tensor_access access_of(const tensor_value& value) const {
    tensor_access result{access_kind::variable, 0, value.rank, value.axes};
    for (int i = 0; i < value.rank; ++i)
      if (int& id = result.axes[i]; id >= 0) id = axis_of(id);
    return result;
  }
  constexpr int moved(tensor_move move, int operand, int indices = -1) {
    refuse_if(indices >= 0 && varies_over_batch(indices), fault::indices_of_batch);
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
        if (int& id = shape.axes[i]; id >= 0 && id == shape.axes[j]) id = broadcast_axis(id, id, 0);
  }
  /// The node of a value broadcast to a shape.
  constexpr int spread(const tensor_value& value, const tensor_value& shape) {
    tensor_access to = access_of(value);
    bool same = true;
    for (int back = 1; back <= value.rank; ++back)
      if (int& id = to.axes[value.rank - back]; id >= 0 && id != axis_from_back(shape, back))
        id = axis_from_back(shape, back), same = false;
    if (same) return value.node;
    const int node = moved({move_kind::broadcast, access_of(value), to, 0, {}}, value.node);
    return graph.nodes[value.node].condition ? graph.make<operation::NotEqual>(node, graph.constant(0)) : node;
  }
  /// Gives indices axes of their own if `shape` has one of theirs elsewhere than at `position`.
  constexpr void keep_explicit(tensor_value& indices, const tensor_value& shape, int position) {
    tensor_value own{-1, indices.rank, indices.axes};
    bool meets = false;
    for (int i = 0; i < shape.rank; ++i)
      for (int k = 0; k < indices.rank; ++k) {
        const int id = indices.axes[k];
        if (i == position || !is_one_axis(shape.axes[i], id)) continue;
        if (!explicit_) return rename(indices, shape);
        own.axes[k] = broadcast_axis(id, id, 0), meets = true;
      }
    if (!meets) return;
    indices.node = spread(indices, own);
    indices.axes = own.axes;
  }
  /// Gives matrices other leading axes, which they are broadcast to.
  constexpr void lead_with(tensor_value& value, const tensor_value& leading) {
    bool meets = false;
    for (int i = value.rank - 2; i < value.rank; ++i)
      for (int j = 0; j < leading.rank; ++j) meets = meets || is_one_axis(value.axes[i], leading.axes[j]);
    // An axis of the matrices that is a leading one of the others' is another axis.
    if (meets && !explicit_) {
      rename(value, leading);
      refuse_if(!unite_all(leading, part_of(value, 2)), fault::too_many_axes);
    }
    tensor_value shape{-1, leading.rank + 2, leading.axes};
    for (int i = 0; i < 2; ++i) shape.axes[leading.rank + i] = value.axes[value.rank - 2 + i];
    if (explicit_) separate(shape), value.node = spread({value.node, value.rank, value.axes}, shape);
    value.rank = shape.rank, value.axes = shape.axes;
  }
  /// The shape that two values are broadcast to whose axes are unified already, or are explicit.
  constexpr tensor_value joined(const tensor_value& a, const tensor_value& b) {
    tensor_value result{-1, a.rank > b.rank ? a.rank : b.rank, {}};
    for (int back = 1; back <= result.rank; ++back) {
      const int i = axis_from_back(a, back), j = axis_from_back(b, back);
      result.axes[result.rank - back] = i < 0 ? j : j < 0 ? i : join(i, j);
    }
    return result;
  }
  /// A value without its last axes, or with one in the place of which none stands.
  static constexpr tensor_value part_of(tensor_value value, int last, int without = -1) {
    value.rank -= last;
    if (without >= 0) value.axes[without] = -1;
    return value;
  }
  /// Unites the axes of such a part with those of a shape; where that would make a diagonal, the value as a whole gets
  /// axes of its own.
  constexpr void unite_or_rename(const tensor_value& shape, tensor_value& value, int last = 0, int without = -1) {
    const tensor_value part = part_of(value, last, without);
    if (explicit_ || unite_all(shape, part)) return;
    axis_set kept = 0;
    for (int back = 1; back <= part.rank; ++back)
      if (const int id = axis_from_back(part, back); is_one_axis(id, axis_from_back(shape, back)))
        kept |= axis(root(id));
    rename(value, shape, kept);
    refuse_if(!unite_all(shape, part_of(value, last, without)), fault::too_many_axes);
  }
  static constexpr int axis_from_back(const tensor_value& value, int back) {
    return back <= value.rank ? value.axes[value.rank - back] : -1;
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
  /// Whether moving the elements of a node costs less than to compute them again: those of a reduction that several
  /// nodes read, or that ends a long chain of them. What one node alone reads is read no more when that has been
  /// copied. What a loop gives lies where the loop has put it. Each copy of a reduction takes further axes: where many
  /// are taken, all that several nodes read of one is moved.
  constexpr bool is_moved(int i) const {
    const node& n = graph.nodes[i];
    const node_use& use = uses_of_[i];
    const bool read_by_several = use.reader == several;
    return reads_loop(n) || (reduces(n) && (read_by_several || use.chain > 3)) ||
           (are_scarce_ && read_by_several && use.chain > 0 && n.kind == node_kind::apply && !n.condition);
  }
  static constexpr bool reduces(const node& n) {
    return n.kind == node_kind::apply && (n.reduced != 0 || n.operation->of_matrices);
  }
  constexpr void note_uses() {
    are_scarce_ = sources_.size > 16;
    for (int i = uses_of_.size; i < graph.nodes.size; ++i) {
      const node& n = graph.nodes[i];
      int chain = 0;
      for (int j = 0; j < n.count; ++j) {
        node_use& operand = uses_of_[graph.operands(i)[j]];
        if (operand.reader != i) operand.reader = operand.reader < 0 ? i : several;
        if (operand.chain > chain) chain = operand.chain;
      }
      uses_of_.push_back({-1, chain + reduces(n)});
    }
  }
  /// Moves the elements of node `i` to the axes `fresh`, of which those in `moved_to` are made for it: as long as the
  /// old ones, however long what they are unified with is.
  constexpr int move_to(int i, const growing_array<int>& fresh, growing_array<int>& moved_to) {
    tensor_access from{access_kind::variable, 0, 0, {}}, to = from;
    const axis_set batch = batch_axis_ < 0 ? 0 : along(i, batch_axis_);
    axis_set passed = 0;
    for (axis_set left = graph.nodes[i].axes & ~batch; left; left &= left - 1) {
      const int id = first_axis(left);
      if (passed & axis(root(id))) continue;
      passed |= axis(root(id));
      from.axes[from.rank++] = id;
      int& other = moved_to[root(id)];
      if (fresh[id] >= 0 && other < 0) other = as_long_as(id), unite(fresh[id], other);
      to.axes[to.rank++] = fresh[id] < 0 ? id : other;
    }
    return moved({move_kind::reshape, from, to, 0, {}}, i);
  }
  /// Computes a value once more with axes of its own, which meets `other`: also those that are reduced on the way, and
  /// those that are moved to others if `other` has them. Those `kept` it shares with `other`.
  constexpr void rename(tensor_value& value, const tensor_value& other, axis_set kept = 0) {
    note_uses();
    growing_array<char> wanted(graph.nodes.size, 0);
    axis_set old = 0, along = 0, read = 0, met = 0;
    for (int i = 0; i < other.rank; ++i)
      if (const int id = other.axes[i]; id >= 0) met |= axis(root(id));
    for (int i = 0; i < value.rank; ++i)
      if (const int id = value.axes[i]; id >= 0) old |= axis(root(id)) & ~kept, read |= axis(axis_of(id));
    const auto varies = [&](int i) { return (canonical(graph.nodes.data[i].axes) & old) != 0; };
    wanted[value.node] = varies(value.node);
    // An axis that ends is another for what has been passed over, too.
    for (axis_set before = 0; before != old;) {
      before = old;
      for (int i = value.node; i >= 0; --i) {
        if (!wanted.data[i]) continue;
        const node& n = graph.nodes.data[i];
        if (is_moved(i)) {
          read |= n.axes;
          continue;
        }
        axis_set ends = canonical(n.reduced);
        read |= n.axes | n.reduced;
        if (n.kind == node_kind::apply && n.operation->moves)
          for (const tensor_move& move : moves_of(graph, n)) {
            read |= move.from.set();
            along |= canonical(move.from.set()), ends |= canonical(move.from.set()) & ~canonical(n.axes) & met;
          }
        along |= canonical(n.reduced), old |= ends;
        for (int j = 0; j < n.count; ++j)
          if (const int operand = graph.operands(i)[j]; varies(operand)) wanted.data[operand] = 1;
      }
    }
    const growing_array<int> fresh = further_axes(read, old);
    const renaming how{{{}, fresh}, *this};
    const auto renumber = [&](tensor_value& renamed) {
      for (int i = 0; i < renamed.rank; ++i)
        if (int& id = renamed.axes[i]; id >= 0 && fresh[axis_of(id)] >= 0) {
          const axis_set own = members_[id];
          id = fresh[axis_of(id)];
          members_[id] = own;
        }
    };
    renumber(value);
    tell_extents(wanted, fresh);
    // In their order: what a rule needs is known before it.
    for (int i = 0, count = graph.axis_rules.size; i < count; ++i)
      if (fresh[graph.axis_rules[i].axis] >= 0) add_rule(how.rule(graph.axis_rules[i]));
    growing_array<int> copy(graph.nodes.size, -1), operands, moved_to(roots_.size, -1);
    for (int i = 0; i <= value.node; ++i) {
      copy.data[i] = i;
      if (!wanted.data[i]) continue;
      const node n = graph.nodes[i];
      if (is_moved(i)) {
        copy[i] = move_to(i, fresh, moved_to);
        continue;
      }
      operands.size = 0;
      for (int j = 0; j < n.count; ++j) operands.push_back(copy[graph.operands(i)[j]]);
      copy[i] = copy_node(graph, graph, n, operands.data, how);
    }
    for (tensor_value* output = followed.data; output != followed.data + followed.size; ++output)
      if (const int i = output->node; i <= value.node && copy[i] != i && !is_moved(i))
        renumber(*output), output->node = copy[i];
    value.node = copy[value.node];
    // Where it matters how long an axis is, it does of the new one.
    for (int i = 0, count = uses_.size; i < count; ++i)
      if (extent_use use = uses_[i]; fresh[use.axis] >= 0 && (along & axis(root(use.axis)))) {
        use.axis = fresh[use.axis];
        uses_.push_back(use);
      }
  }
  /// How `rename` copies: what is reduced along an axis is along those that elements were moved to, too.
  struct renaming : renumbered {
    const broadcasting& axes;

    constexpr int reduction(builder& to, const node& n, int operand) const {
      axis_set reduced = 0;
      for (axis_set left = set(n.reduced); left; left &= left - 1) reduced |= axes.along(operand, first_axis(left));
      return to.append_reduction(*n.operation, operand, reduced);
    }
  };
  /// Rules for those of the `fresh` axes that elements are moved to, and that nothing `wanted` tells the extent of: the
  /// shape of indices, which are themselves read in one row.
  constexpr void tell_extents(const growing_array<char>& wanted, const growing_array<int>& fresh) {
    axis_set moved_to = 0, told = 0;
    for (int i = 0; i < wanted.size; ++i) {
      if (!wanted.data[i]) continue;
      const node& n = graph.nodes.data[i];
      if (is_read(n.kind) || is_moved(i))
        told |= n.axes;
      else if (n.kind == node_kind::apply && n.operation->moves)
        for (const tensor_move& move : moves_of(graph, n)) moved_to |= move.to.set();
    }
    for (const axis_rule& rule : graph.axis_rules) told |= axis(rule.axis);
    for (axis_set left = moved_to & ~told; left; left &= left - 1)
      if (const int id = first_axis(left); fresh[id] >= 0)
        graph.axis_rules.push_back({fresh[id], axis_rule::form::sum, {0, -1, 1, {id}}, {}, -1, 0, 1});
  }
  /// For the axes of `read` that are unified with one of `old` a further one, which stands for them.
  constexpr growing_array<int> further_axes(axis_set read, axis_set old) {
    growing_array<int> fresh(roots_.size, -1), of_root(roots_.size, -1);
    for (; read; read &= read - 1) {
      const int id = first_axis(read);
      if (!(old & axis(root(id)))) continue;
      int& further = of_root[root(id)];
      if (further < 0) further = new_axis(-1, sources_[id]), stands_for_[further] = 0;
      fresh[id] = further;
      stands_for_[further] |= stands_for_[id];
      if (declared_[id] >= 0) declared_[further] = extents_[further] = declared_[id];
    }
    return fresh;
  }

 private:
  static constexpr int several = std::numeric_limits<int>::max();
  /// Of each node the one that reads it, or several, and how many reductions follow each other until it.
  struct node_use {
    int reader = -1, chain = 0;
  };
  growing_array<node_use> uses_of_;
  bool are_scarce_ = false;
};

}  // namespace tapeless::program
