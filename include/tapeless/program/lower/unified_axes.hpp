#pragma once

#include <tapeless/program/graph/fault.hpp>
#include <tapeless/program/lower/tensor_value.hpp>
#include <tapeless/program/rewrite/axes.hpp>
#include <tapeless/program/rewrite/copy.hpp>

#include <cstddef>
#include <string_view>

namespace tapeless::program {

/// The axes of a program over tensors, and which of them are unified.
///
/// Each use of a tensor has axes of its own; an elementwise operation unites those that it aligns, from the last to the
/// first, as NumPy does. What ends as one axis runs in one loop.
///
/// That takes axes for equally long which are only if nothing of extent 1 is broadcast that other tensors meet too: a
/// call compares where it matters. `explicit`, no axes are unified: a value's axes are those of its own extents, and
/// what is broadcast is moved there. That is right for all extents, but for loops nothing is left to share.
class unified_axes {
 public:
  builder graph;

  constexpr explicit unified_axes(bool is_explicit) : explicit_(is_explicit) {}

  /// Whether something is wrong, which the program keeps in mind; whether anything has been.
  constexpr bool refuse_if(bool wrong, fault what) {
    if (wrong) graph.misused(what);
    return wrong;
  }
  constexpr bool refused() const { return graph.misuse != fault::none; }

 protected:
  bool explicit_;
  // Axes of the program have the first numbers; those from `first_joined` on stand for what several axes of values that
  // are unified are broadcast to.
  static constexpr int first_joined = most_axes;
  growing_array<int> roots_ = growing_array<int>(first_joined, -1);
  growing_array<std::ptrdiff_t> extents_ = growing_array<std::ptrdiff_t>(first_joined, -1);
  // The axes before any was made once more that an axis is read as.
  growing_array<axis_set> stands_for_ = growing_array<axis_set>(first_joined, 0);
  growing_array<axis_set> members_ = growing_array<axis_set>(first_joined, 0);
  // The axes that are unified with a root, and those that the nodes so far have beside one of them.
  growing_array<axis_set> unified_, met_;
  int nodes_met_ = 0;
  growing_array<axis_source> sources_;
  growing_array<std::ptrdiff_t> declared_;
  growing_array<int> representatives_;
  growing_array<extent_use> uses_;
  struct equal_axes {
    axis_set a, b;
  };
  growing_array<equal_axes> equals_;
  // The axis of the elements of a batch; -1 where there is none.
  int batch_axis_ = -1;

  constexpr bool varies_over_batch(int node) const { return batch_axis_ >= 0 && along(node, batch_axis_) != 0; }
  /// Puts the axis of the batch before those that a value has.
  constexpr void lead_with_batch(tensor_access& access) {
    if (batch_axis_ < 0) return;
    if (refuse_if(access.rank == max_rank, fault::rank_too_large)) return;
    access = with_first_axis(access, batch_axis_);
  }

  constexpr int new_axis(std::ptrdiff_t extent, const axis_source& source) {
    if (refuse_if(sources_.size == first_joined, fault::too_many_axes)) return 0;
    const int id = sources_.size;
    sources_.push_back(source);
    declared_.push_back(extent);
    roots_[id] = id;
    extents_[id] = extent;
    members_[id] = stands_for_[id] = axis(id);
    unified_.push_back(axis(id)), met_.push_back(0);
    return id;
  }
  /// An axis whose extent a rule says, which has no axis yet.
  constexpr int new_axis(axis_rule rule, std::ptrdiff_t extent = -1) {
    rule.axis = new_axis(extent, {-1, 0, graph.axis_rules.size});
    graph.axis_rules.push_back(rule);
    return rule.axis;
  }
  /// Has the call check a rule, once: axes that are made once more have the rules of the first.
  constexpr void add_rule(const axis_rule& rule) {
    for (const axis_rule& other : graph.axis_rules)
      if (other.axis == rule.axis && other == rule) return;
    graph.axis_rules.push_back(rule);
  }
  /// An axis that is as long as a sum.
  constexpr int counted_axis(const extent_sum& length) { return new_axis({{}, axis_rule::form::sum, length}); }
  /// How long an axis is, and `more`.
  constexpr extent_sum length_of(int id, int more = 0) const {
    return id < 0 ? extent_sum{1 + more, -1, 0, {}} : extent_sum{more, -1, 1, {axis_of(id)}};
  }
  /// The axis of the program for an axis of a value: one that the value's node has.
  constexpr int axis_of(int id) const { return id < first_joined ? id : representatives_[id - first_joined]; }

  /// A further axis that is as long as another.
  constexpr int as_long_as(int id) { return counted_axis(length_of(id)); }

  /// What two axes are broadcast to.
  constexpr int join(int i, int j) {
    const axis_set mine = members_[i], other = members_[j];
    if (i == j || (mine & other) == other) return i;
    if ((mine & other) == mine) return j;
    if (known(mine)) return fit(i, j);
    if (known(other)) return fit(j, i);
    const int from = explicit_ ? 0 : first_joined, end = explicit_ ? sources_.size : roots_.size;
    for (int id = from; id < end; ++id)
      if (members_[id] == (mine | other) && (explicit_ || axis_of(id) == axis_of(i))) return id;
    if (explicit_) return broadcast_axis(i, j, mine | other);
    roots_.push_back(root(i));
    extents_.push_back(-1);
    members_.push_back(mine | other);
    representatives_.push_back(axis_of(i));
    return roots_.size - 1;
  }
  /// Has the call check that axis `j` can be broadcast to axis `i`, whose extent is known.
  constexpr int fit(int i, int j) {
    if (explicit_ && !known(members_[j])) add_rule({i, axis_rule::form::broadcast, {0, -1, 2, {i, j}}});
    return i;
  }
  constexpr int broadcast_axis(int i, int j, axis_set members) {
    const int id = new_axis({{}, axis_rule::form::broadcast, {0, -1, 2, {i, j}}});
    if (members) members_[id] = members;
    return id;
  }
  /// Whether an axis of known extent, which is not 1, is among these.
  constexpr bool known(axis_set members) const {
    for (; members; members &= members - 1)
      if (declared_[first_axis(members)] >= 0) return true;
    return false;
  }
  /// Whether axes are all that is unified with `id`, or tell how long it is.
  constexpr bool covers(axis_set members, int id, bool strict = false) const {
    // What is equally long as some of them is among them too.
    for (int i = 0; i < equals_.size && !strict; ++i) {
      const auto [a, b] = equals_[i];
      if (((members & a) == a) == ((members & b) == b)) continue;
      members |= a | b;
      i = -1;
    }
    if (known(members)) return true;
    axis_set covered = members, all = 0;
    for (axis_set left = members; left; left &= left - 1) covered |= stands_for_[first_axis(left)];
    for (int i = 0; i < sources_.size; ++i)
      if (root(i) == id) all |= stands_for_[i];
    for (axis_set others = all & ~covered; others; others &= others - 1) {
      bool same = false;
      for (axis_set left = covered; left && !same; left &= left - 1)
        same = sources_[first_axis(left)] == sources_[first_axis(others)];
      if (!same) return false;
    }
    return true;
  }
  /// Whether an axis that is made at the call, or must have the extent 1, is unified with another.
  constexpr bool meets_rules() const {
    for (int i = 0; i < sources_.size; ++i)
      if (sources_[i].rule >= 0 && !covers(axis(i), root(i))) return true;
    for (const axis_rule& rule : graph.axis_rules)
      if (rule.how == axis_rule::form::equal && rule.wanted_by.empty() && !covers(axis(rule.axis), root(rule.axis)))
        return true;
    return false;
  }
  /// Notes that it matters how long an axis of a value is.
  constexpr void use(int id, std::string_view reduction = {}) {
    if (id < 0 || (explicit_ && reduction.empty())) return;
    note({axis_of(id), members_[id], false, false, reduction});
  }
  constexpr void note(const extent_use& use) {
    for (const extent_use& noted : uses_)
      if (noted == use) return;
    uses_.push_back(use);
  }
  constexpr void require_equal(int i, int j) {
    if (i != j && (i < 0 || j < 0 || explicit_)) compare(i, j);
  }
  /// Two axes of values are equally long, or the call says what wants that.
  constexpr void require_length(int i, int j, std::string_view wanted_by) {
    if (i != j) use(i), use(j), compare(i, j, wanted_by);
  }
  /// What a product of matrices sums over is equally long in both.
  constexpr void require_summed(int i, int j) {
    require_equal(i, j);
    if (i < 0 || j < 0) {
      refuse_if(i != j && known(members_[i < 0 ? j : i]), fault::extents_differ);
      return;
    }
    if (explicit_ || members_[i] == members_[j]) return;
    equals_.push_back({members_[i], members_[j]});
    for (const int id : {i, j})
      if (!known(members_[id])) note({axis_of(id), members_[id], false, true, {}});
  }
  constexpr int root(int id) const { return roots_.data[id]; }
  /// The axes of a node that are unified with an axis of its value.
  constexpr axis_set along(int node, int id) const {
    axis_set result = 0;
    for (axis_set left = graph.nodes[node].axes; left; left &= left - 1)
      if (root(first_axis(left)) == root(id)) result |= outermost(left);
    return result;
  }
  constexpr axis_set canonical(axis_set axes) const {
    axis_set result = 0;
    for (; axes; axes &= axes - 1) result |= axis(root(first_axis(axes)));
    return result;
  }

  constexpr void compare(int i, int j, std::string_view wanted_by = {}) {
    axis_rule equal{axis_of(i < 0 ? j : i), axis_rule::form::equal, length_of(i < 0 ? i : j)};
    equal.wanted_by = wanted_by;
    add_rule(equal);
  }
  /// Notes that a node has these axes side by side.
  constexpr void meet(axis_set axes) {
    for (axis_set left = axes & (axes - 1) ? axes : 0; left; left &= left - 1) met_[root(first_axis(left))] |= axes;
  }
  constexpr bool unite(int i, int j) {
    i = root(i), j = root(j);
    if (i == j) return true;
    for (; nodes_met_ < graph.nodes.size; ++nodes_met_) {
      const node& n = graph.nodes[nodes_met_];
      meet(n.axes | n.reduced);
      // Matrices are read along leading axes that their node may lack.
      for (int k = 0; n.kind == node_kind::apply && n.operation->of_matrices && k < n.count; ++k)
        meet(graph.moves[n.access + k].from.set());
    }
    if (met_[i] & unified_[j]) return false;
    refuse_if(extents_[i] >= 0 && extents_[j] >= 0 && extents_[i] != extents_[j], fault::extents_differ);
    if (extents_[i] < 0) extents_[i] = extents_[j];
    const auto move_to_root = [&](int begin, int end) {
      for (int* at = roots_.data + begin; at != roots_.data + end; ++at)
        if (*at == j) *at = i;
    };
    move_to_root(0, sources_.size), move_to_root(first_joined, roots_.size);
    unified_[i] |= unified_[j], met_[i] |= met_[j];
    return true;
  }

  /// How nodes are copied with other axes: `numbers` has one for each, -1 where it stays.
  struct renumbered : copied_as_is {
    const growing_array<int>& numbers;

    constexpr int axis_number(int id) const { return id < 0 || numbers.data[id] < 0 ? id : numbers.data[id]; }
    constexpr axis_set set(axis_set axes) const {
      axis_set result = 0;
      for (; axes; axes &= axes - 1) result |= axis(axis_number(first_axis(axes)));
      return result;
    }
    constexpr tensor_access access(tensor_access a) const {
      if (a.kind == access_kind::extent || a.kind == access_kind::index) a.of = axis_number(a.of);
      for (int k = 0; k < a.rank; ++k) a.axes[k] = axis_number(a.axes[k]);
      return a;
    }
    constexpr extent_sum sum(extent_sum s) const {
      for (int k = 0; k < s.count; ++k) s.axes[k] = axis_number(s.axes[k]);
      return s;
    }
    constexpr axis_rule rule(axis_rule r) const {
      r.axis = axis_number(r.axis), r.of = axis_number(r.of), r.factors = set(r.factors);
      r.begin = sum(r.begin), r.end = sum(r.end);
      return r;
    }
    constexpr int read(builder& to, graph_view from, const node& n) const {
      return to.read(access(from.accesses[n.access]));
    }
    constexpr int move(builder& to, graph_view from, const node& n, const int* operands) const {
      growing_array<tensor_move> list = moves_of(from, n);
      for (tensor_move* m = list.data; m != list.data + list.size; ++m)
        m->from = access(m->from), m->to = access(m->to), m->begin = sum(m->begin);
      return to.append_move(*n.operation, list.data, operands, n.count);
    }
    constexpr int reduction(builder& to, const node& n, int operand) const {
      return to.append_reduction(*n.operation, operand, set(n.reduced));
    }
  };
};

}  // namespace tapeless::program
