#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/memory/index.hpp>
#include <tapeless/evaluate/memory/move.hpp>
#include <tapeless/evaluate/memory/tensor_loop.hpp>
#include <tapeless/operation/scan.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// A program computed as it reads: node by node, each an array of its own, by the operations' functions of one number.
/// For calls whose extents do not fit the loops, and for what checks the loops: nothing is shared with them.
namespace tapeless::loops::inline TAPELESS_TARGET {

template <class T>
class node_by_node;

/// Called after each step of a loop: number `k` of the loop at node `loop`, whose body has these outputs.
template <class T>
struct step_observer {
  void (*seen)(void* context, node_by_node<T>& step, int loop, std::size_t k, std::span<const int> outputs,
               const operation::scan_shape& shape) = nullptr;
  void* context = nullptr;
};

/// How a node is computed: from an element of each operand, as a sum in wider numbers, or as a whole.
template <class T>
struct node_code {
  using wide = std::conditional_t<std::is_floating_point_v<T>, long double, T>;
  void (*element)(T& to, const T* const* from) = nullptr;
  wide (*neutral)() = nullptr;
  void (*combine)(wide& to, const T& from) = nullptr;
  void (*matrices)(const strided<T>& to, const strided<T>* from) = nullptr;
  void (*sequence)(node_by_node<T>& all, int node) = nullptr;
};

/// Memory of such a computation, used again by later calls; a copy has none.
template <class T>
struct node_memory {
  std::vector<std::vector<T>> values;
  std::vector<std::vector<std::vector<T>>> outputs_of_loops;
  std::vector<T*> data;
  std::vector<std::ptrdiff_t> strides;
  std::vector<typename node_code<T>::wide> sums;
  step_observer<T> observer;

  node_memory() = default;
  node_memory(node_memory&&) = default;
  node_memory& operator=(node_memory&&) = default;
  node_memory(const node_memory&) {}
  node_memory& operator=(const node_memory&) { return *this; }
};

/// One computation of a finished program, which is given by its arrays: one instance a number type.
template <class T>
class node_by_node {
 public:
  program::graph_view graph;
  const node_code<T>* codes;
  node_memory<T>& memory;
  const T* numbers = nullptr;
  // Over tensors: the axes, and what moves of elements read of the call.
  std::size_t axes = 0;
  const std::ptrdiff_t* extent = nullptr;
  const bound_number* bounds = nullptr;
  const indices_at_call* indices = nullptr;

  const program::node& at(int i) const { return graph.nodes[i]; }
  int operand(int i, int j) const { return graph.edges[at(i).first + j]; }
  /// All elements of a node: one of a number.
  std::vector<T>& value(int i) { return memory.values[static_cast<std::size_t>(i)]; }
  void set(int i, std::span<const T> elements) {
    value(i).assign(elements.begin(), elements.end());
    data(i) = value(i).data();
  }
  /// Lets a variable lie where it is bound, by the strides of the tensor's own axes.
  template <class Tensor>
  void read(int i, const Tensor& tensor) {
    const program::tensor_access& access = graph.accesses[at(i).access];
    data(i) = static_cast<T*>(tensor.data);
    for (std::size_t k = 0; k < static_cast<std::size_t>(access.rank); ++k)
      if (access.axes[k] >= 0) stride(i, access.axes[k]) = tensor.extents[k] == 1 ? 0 : tensor.strides[k];
  }
  /// The elements of a node, row by row of its axes; none of a loop or a pair.
  std::vector<T> elements(int i) {
    if (data(i) == value(i).data()) return value(i);
    std::vector<T> all;
    for_each(at(i).axes, {&i, 1}, [&](const auto& offset) { all.push_back(data(i)[offset[0]]); });
    return all;
  }
  /// A node as a tensor, its axes in the order of `access`.
  strided<T> place(int i, const program::tensor_access& access) const {
    const std::size_t node = static_cast<std::size_t>(i);
    return strided_by(access, memory.data[node], extent, memory.strides.data() + node * axes);
  }

  /// Computes all nodes; `bind(i)` sets or reads node `i`, a variable.
  template <class Bind>
  [[gnu::cold]] void run(const Bind& bind) {
    const std::size_t nodes = static_cast<std::size_t>(graph.size);
    memory.values.resize(nodes), memory.data.assign(nodes, nullptr), memory.strides.assign(nodes * axes, 0);
    for (int i = 0; i < graph.size; ++i) {
      const program::node& n = at(i);
      if (n.kind != program::node_kind::variable && !is_pair(i)) lay_out(i);
      switch (n.kind) {
        case program::node_kind::variable: bind(i); break;
        case program::node_kind::extent: *data(i) = static_cast<T>(extent[n.leaf]); break;
        case program::node_kind::index:
          for (std::ptrdiff_t k = 0; k < extent[n.leaf]; ++k) data(i)[k] = static_cast<T>(k);
          break;
        case program::node_kind::number: *data(i) = numbers[n.leaf]; break;
        case program::node_kind::constant: *data(i) = graph.constants[n.leaf].template as<T>(); break;
        default: is_pair(i) ? void() : apply(i); break;
      }
    }
  }

 private:
  T*& data(int i) { return memory.data[static_cast<std::size_t>(i)]; }
  std::ptrdiff_t& stride(int i, int axis) const {
    return memory.strides[static_cast<std::size_t>(i) * axes + static_cast<std::size_t>(axis)];
  }
  std::ptrdiff_t size(program::axis_set set) const {
    std::ptrdiff_t result = 1;
    for (; set; set &= set - 1) result *= extent[program::first_axis(set)];
    return result;
  }
  /// A member of a pair computes the pair.
  bool is_pair(int i) const { return at(i).kind == program::node_kind::apply && at(i).operation->pair; }

  /// The elements of a node lie row by row, its last axis in a row.
  void lay_out(int i) {
    value(i).assign(static_cast<std::size_t>(size(at(i).axes)), T(0));
    data(i) = value(i).data();
    std::ptrdiff_t step = 1;
    for (program::axis_set left = at(i).axes; left;) {
      const int id = program::last_axis(left);
      stride(i, id) = step, step *= extent[id], left &= ~program::axis(id);
    }
  }

  /// visit(the offset in each of some nodes) for every index over a set of axes, the last axis first.
  template <class Visit>
  void for_each(program::axis_set over, std::span<const int> nodes, const Visit& visit) const {
    std::array<std::ptrdiff_t, 4> offset{};
    std::array<std::ptrdiff_t, 64> index{};
    for (std::ptrdiff_t left = size(over); left > 0; --left) {
      visit(offset);
      for (program::axis_set rest = over; rest;) {
        const int id = program::last_axis(rest);
        std::ptrdiff_t& at_axis = index[static_cast<std::size_t>(id)];
        const bool again = ++at_axis == extent[id];
        for (std::size_t j = 0; j < nodes.size(); ++j) offset[j] += stride(nodes[j], id) * (again ? 1 - extent[id] : 1);
        if (!again) break;
        at_axis = 0, rest &= ~program::axis(id);
      }
    }
  }

  void apply(int i) {
    const program::node& n = at(i);
    const node_code<T>& code = codes[i];
    if (code.sequence) return code.sequence(*this, i);
    if (n.operation->moves) return move(i);
    const int from = n.count == 1 && is_pair(operand(i, 0)) ? operand(i, 0) : i;
    const std::size_t count = static_cast<std::size_t>(at(from).count);
    std::array<int, 4> nodes{i};
    for (std::size_t j = 0; j < count; ++j) nodes[j + 1] = operand(from, static_cast<int>(j));
    std::array<const T*, 3> elements{};
    const auto visit = [&](const std::array<std::ptrdiff_t, 4>& offset) {
      for (std::size_t j = 0; j < count; ++j) elements[j] = data(nodes[j + 1]) + offset[j + 1];
      if (n.reduced)
        code.combine(memory.sums[static_cast<std::size_t>(offset[0])], *elements[0]);
      else
        code.element(data(i)[offset[0]], elements.data());
    };
    if (n.reduced) memory.sums.assign(value(i).size(), code.neutral());
    for_each(n.axes | n.reduced, {nodes.data(), count + 1}, visit);
    for (std::size_t k = 0; n.reduced && k < value(i).size(); ++k) value(i)[k] = static_cast<T>(memory.sums[k]);
  }

  void move(int i) {
    using enum program::move_kind;
    using index = std::array<std::ptrdiff_t, program::max_rank>;
    const program::node& n = at(i);
    const program::tensor_move* const moves = graph.moves + n.access;
    const strided<T> to = place(i, moves->to);
    if (n.operation->of_matrices) {
      std::array<strided<T>, 4> from;
      for (int j = 0; j < n.count; ++j) from[static_cast<std::size_t>(j)] = place(operand(i, j), moves[j].from);
      return codes[i].matrices(to, from.data());
    }
    if (moves->kind == put && n.count == 3)
      to.for_each([&, from = place(operand(i, 2), moves->to)](const index& each) {
        to.data[to.offset(each)] = from.data[from.offset(each)];
      });
    for (int j = 0; j < (moves->has_indices() ? 1 : n.count); ++j) {
      const program::tensor_move& m = moves[j];
      const strided<T> from = place(operand(i, j), m.from);
      // Each element of `every` goes to an element of the other, or comes from there.
      const bool sums = m.kind == accumulate || m.kind == accumulate_back;
      const bool gathers = sums || m.kind == slice || m.kind == take || m.kind == broadcast || m.kind == reshape;
      const strided<T>&every = gathers ? to : from, &other = gathers ? from : to;
      const std::size_t along = static_cast<std::size_t>(m.position);
      const std::ptrdiff_t extent_along = other.extents[along], step = value_of(*this, m.step);
      const std::ptrdiff_t begin = begin_of(*this, m, extent_along);
      const int axis = (gathers ? m.to : m.from).axes[along];
      // Of no elements too, as the loops refuse them.
      for (std::ptrdiff_t k = 0; m.has_indices() && k < every.extents[along]; ++k)
        chosen(operand(i, 1), axis, k, extent_along, m.segments);
      index in_order{};
      every.for_each([&](index each) {
        if (m.kind == accumulate_back) each[along] = extent_along - 1 - each[along];
        index there = each;
        if (m.kind == slice || m.kind == pad)
          there[along] = begin + step * each[along];
        else if (m.has_indices())
          there[along] = chosen(operand(i, 1), axis, each[along], extent_along, m.segments);
        else if (m.kind == roll || m.kind == unroll)
          there[along] = (each[along] + moved_on(begin, extent_along, m.kind == unroll)) % extent_along;
        else if (sums)
          there[along] += m.kind == accumulate ? -1 : 1;
        else if (m.kind != reshape)
          for (std::size_t k = 0; k < static_cast<std::size_t>(other.rank); ++k)
            there[k] = other.extents[k] == 1 ? 0 : each[k];
        else
          there = in_order;
        for (std::size_t k = static_cast<std::size_t>(other.rank); k-- > 0 && ++in_order[k] == other.extents[k];)
          in_order[k] = 0;
        if (sums)
          to.data[to.offset(each)] =
              from.data[from.offset(each)] +
              (there[along] >= 0 && there[along] < extent_along ? to.data[to.offset(there)] : T(0));
        else if (gathers)
          to.data[to.offset(each)] = from.data[from.offset(there)];
        else
          to.data[to.offset(there)] += from.data[from.offset(each)];
      });
    }
  }
  /// The index number `k` that node `i` gives; `axis` is the axis of the node.
  std::ptrdiff_t chosen(int i, int axis, std::ptrdiff_t k, std::ptrdiff_t length, bool segments) {
    std::ptrdiff_t result = 0;
    if (at(i).kind == program::node_kind::variable && indices[at(i).leaf].data) {
      result = indices[at(i).leaf].data[k * indices[at(i).leaf].stride];
    } else {
      const T number = data(i)[axis < 0 ? 0 : k * stride(i, axis)];
      check_index(number, length, segments);
      result = static_cast<std::ptrdiff_t>(number);
    }
    return result < 0 ? result + length : result;
  }
};

namespace detail {

/// Operation `Info` on operands of which the bits of `Conditions` tell the conditions; `Second` of a pair.
template <const program::operation_info* Info, int Count, unsigned Conditions, bool Second, class T>
[[gnu::cold]] void compute_element(T& to, [[maybe_unused]] const T* const* from) {
  using operation = program::operation_of<Info>;
  const auto operand = [&]<std::size_t J>(std::integral_constant<std::size_t, J>) {
    if constexpr (((Conditions >> J) & 1u) != 0)
      return !(*from[J] == T(0));
    else
      return T(*from[J]);
  };
  [&]<std::size_t... J>(std::index_sequence<J...>) {
    if constexpr (Count == 0)
      to = static_cast<T>(operation::template constant<T>());
    else if constexpr (!Info->pair)
      to = static_cast<T>(operation::value(operand(std::integral_constant<std::size_t, J>{})...));
    else if constexpr (Second)
      to = operation::value(operand(std::integral_constant<std::size_t, J>{})...).second;
    else
      to = operation::value(operand(std::integral_constant<std::size_t, J>{})...).first;
  }(std::make_index_sequence<static_cast<std::size_t>(Count)>{});
}
template <const program::operation_info* Info, class T>
[[gnu::cold]] typename node_code<T>::wide neutral() {
  using wide = typename node_code<T>::wide;
  return static_cast<wide>(program::operation_of<Info>::template neutral<wide>());
}
template <const program::operation_info* Info, class T>
[[gnu::cold]] void combine(typename node_code<T>::wide& to, const T& from) {
  using wide = typename node_code<T>::wide;
  to = static_cast<wide>(program::operation_of<Info>::combine(to, static_cast<wide>(from)));
}
template <const program::operation_info* Info, int Count, class T>
[[gnu::cold]] void compute_matrices(const strided<T>& to, const strided<T>* from) {
  [&]<std::size_t... J>(std::index_sequence<J...>) {
    program::operation_of<Info>::compute(to, from[J]...);
  }(std::make_index_sequence<static_cast<std::size_t>(Count)>{});
}

template <class P, class T>
[[gnu::cold]] const node_code<T>* codes_of();

/// A loop: the body once a step, all of what it stacks and of what it carried kept.
template <class Op, class T>
[[gnu::cold]] void run_loop(node_by_node<T>& all, int i) {
  constexpr operation::scan_shape s = Op::shape;
  using body = program::finished<typename Op::body, 0, static_cast<std::size_t>(s.carries + s.stacked)>;
  const auto operand = [&](int j) -> const std::vector<T>& { return all.value(all.operand(i, j)); };
  const auto steps = static_cast<std::size_t>(operand(0)[0]);
  std::vector<T> carry;
  for (int c = 0; c < s.carries; ++c) carry.push_back(operand(1 + c)[0]);
  all.memory.outputs_of_loops.resize(static_cast<std::size_t>(all.graph.size));
  auto& given = all.memory.outputs_of_loops[static_cast<std::size_t>(i)];
  given.assign(static_cast<std::size_t>(Op::outputs), std::vector<T>(steps, T(0)));
  node_memory<T> memory;
  node_by_node<T> step{body::view(), codes_of<body, T>(), memory};
  bool ended = false;
  for (std::size_t k = 0; k < steps && !ended; ++k) {
    const std::size_t t = s.reversed ? steps - 1 - k : k;
    for (int c = 0; c < s.carries; ++c)
      given[static_cast<std::size_t>(s.history(c))][t] = carry[static_cast<std::size_t>(c)];
    step.run([&](int node) {
      const int v = step.at(node).leaf;
      const T number = static_cast<T>(t);
      if (v < s.carries)
        step.set(node, {&carry[static_cast<std::size_t>(v)], 1});
      else if (v < s.first_sequence() - 1)
        step.set(node, operand(1 + v));
      else if (v < s.operands() - 1)
        step.set(node, {&operand(1 + v)[t], 1});
      else
        step.set(node, {&number, 1});
    });
    const auto result = [&](int output) { return step.value(body::value.output(output))[0]; };
    if (const step_observer<T>& to = all.memory.observer; to.seen)
      to.seen(to.context, step, i, t, {body::value.outputs.data(), body::value.outputs.size()}, s);
    for (int y = 0; y < s.stacked; ++y) given[static_cast<std::size_t>(s.carries + y)][t] = result(s.carries + y);
    for (int c = 0; c < s.carries; ++c) carry[static_cast<std::size_t>(c)] = result(c);
    ended = s.ends && carry[0] != T(0);
    if (ended)
      for (auto& each : given) each.resize(k + 1);
  }
  for (std::size_t c = 0; c < carry.size(); ++c) given[c] = {carry[c]};
}
template <const program::operation_info* Info, class T>
[[gnu::cold]] void compute_sequence(node_by_node<T>& all, int i) {
  using operation = program::operation_of<Info>;
  const int first = all.operand(i, 0);
  if constexpr (Info->outputs > 0) {
    run_loop<operation>(all, i);
  } else if constexpr (Info->output_read >= 0) {
    all.set(i,
            all.memory.outputs_of_loops[static_cast<std::size_t>(first)][static_cast<std::size_t>(Info->output_read)]);
  } else if constexpr (std::same_as<operation, tapeless::operation::Length>) {
    const T length = static_cast<T>(all.value(first).size());
    all.set(i, {&length, 1});
  } else {
    static_assert(std::same_as<operation, tapeless::operation::Repeat>);
    all.set(i, std::vector<T>(static_cast<std::size_t>(all.value(all.operand(i, 1))[0]), all.value(first)[0]));
  }
}

/// Node `I`, a loop over tensors or an output of one.
template <class P, int I, class T>
[[gnu::cold]] void compute_tensor_loop(node_by_node<T>& all, int) {
  constexpr program::node n = P::value.nodes[I];
  constexpr program::tensor_move first = P::value.move(I);
  if constexpr (program::is_loop(n)) {
    tensor_loop_node<P, I, T>::run(
        &all, [&](int j, const program::tensor_access& access) { return all.place(all.operand(I, j), access); },
        [](auto) { return strided<T>{}; }, all.extent);
  } else {
    constexpr int loop = P::value.operand(I, 0);
    tensor_loop_node<P, loop, T>::template copy_output<n.operation->output_read>(all.place(I, first.to), {},
                                                                                 all.extent);
  }
}

/// What the code of a node depends on, whichever program it is in: nothing if there is no operation.
struct node_key {
  const program::operation_info* operation = nullptr;
  /// Negative where there is no code.
  int count = -1;
  /// The bits of the operands that are conditions.
  unsigned conditions = 0;
  bool reduces = false, second = false;
};
constexpr bool is_tensor_loop(const program::node& n) {
  return n.kind == program::node_kind::apply && n.operation->of_loops && n.operation->moves;
}
constexpr bool is_sequence(const program::operation_info* of) {
  return of->of_loops || *of == program::info<tapeless::operation::Length>;
}
constexpr node_key key_of(program::graph_view p, int i) {
  const program::node& n = p.nodes[i];
  if (n.kind != program::node_kind::apply || is_tensor_loop(n)) return {};
  const bool is_element = !is_sequence(n.operation) && !n.operation->of_matrices && n.reduced == 0;
  // What is moved, and a pair before it is read, has no code.
  if (is_element && (n.operation->moves || n.operation->pair)) return {};
  node_key result{n.operation, n.count, 0, n.reduced != 0, false};
  for (int j = 0; j < n.count && is_element; ++j) {
    const program::node& x = p.nodes[p.edges[n.first + j]];
    if (n.count == 1 && x.kind == program::node_kind::apply && x.operation->pair)
      return {x.operation, x.count, 0, false, program::applies(n, program::info<tapeless::operation::Second>)};
    if (x.condition) result.conditions |= 1u << j;
  }
  return result;
}
template <node_key Key, class T>
constexpr node_code<T> code_of() {
  node_code<T> result;
  if constexpr (Key.count >= 0) {
    constexpr auto info = Key.operation;
    if constexpr (is_sequence(info))
      result.sequence = &compute_sequence<info, T>;
    else if constexpr (info->of_matrices)
      result.matrices = &compute_matrices<info, Key.count, T>;
    else if constexpr (Key.reduces)
      result.neutral = &neutral<info, T>, result.combine = &combine<info, T>;
    else
      result.element = &compute_element<info, Key.count, Key.conditions, Key.second, T>;
  }
  return result;
}

/// The codes of the nodes of the finished program `P`.
template <class P, class T>
[[gnu::cold]] const node_code<T>* codes_of() {
  static constexpr auto keys = [] {
    std::array<node_key, P::value.nodes.size()> result{};
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = key_of(P::view(), static_cast<int>(i));
    return result;
  }();
  static constexpr auto loops = program::as_array([] {
    program::growing_array<int> result;
    for (int i = 0; i < P::view().size; ++i)
      if (is_tensor_loop(P::view().nodes[i])) result.push_back(i);
    return result;
  });
  static constexpr auto all = []<std::size_t... I, std::size_t... L>(std::index_sequence<I...>,
                                                                     std::index_sequence<L...>) {
    std::array<node_code<T>, sizeof...(I)> result{code_of<keys[I], T>()...};
    ((result[static_cast<std::size_t>(loops[L])].sequence = &compute_tensor_loop<P, loops[L], T>), ...);
    return result;
  }(std::make_index_sequence<keys.size()>{}, std::make_index_sequence<loops.size()>{});
  return all.data();
}

}  // namespace detail

/// The computation of the finished program `P`.
template <class P, class T>
node_by_node<T> computation_of(node_memory<T>& memory) {
  return {P::view(), detail::codes_of<P, T>(), memory};
}

}  // namespace tapeless::loops::inline TAPELESS_TARGET
