#ifndef TAPELESS_EVALUATE_ARRAY_BY_ARRAY_HPP
#define TAPELESS_EVALUATE_ARRAY_BY_ARRAY_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

/// A program over tensors computed as NumPy would: node by node, each an array of its own extents. For calls whose
/// extents do not fit the loops, where axes that the loops take for one turn out to have different extents.
namespace tapeless::loops::inline TAPELESS_TARGET {

/// What a node does to a row of its operands, or, a reduction, to one of its operand.
template <class T>
struct node_code {
  using row_function = void (*)(T* to, std::ptrdiff_t to_stride, const T* const* from, const std::ptrdiff_t* strides,
                                std::ptrdiff_t count);
  row_function row = nullptr;
  T (*neutral)() = nullptr;
  void (*matrices)(const strided<T>& to, const strided<T>* from) = nullptr;
};

namespace detail {

/// Operation `Info` on operands of which the bits of `Conditions` tell the conditions; `Second` of a pair.
template <const program::operation_info* Info, int Count, unsigned Conditions, bool Second, class T>
[[gnu::cold]] void compute_row(T* to, std::ptrdiff_t to_stride, [[maybe_unused]] const T* const* from,
                               [[maybe_unused]] const std::ptrdiff_t* strides, std::ptrdiff_t count) {
  using operation = program::operation_of<Info>;
  const auto operand = [&]<std::size_t J>(std::integral_constant<std::size_t, J>, std::ptrdiff_t i) {
    const T number = from[J][i * strides[J]];
    if constexpr (((Conditions >> J) & 1u) != 0)
      return !(number == T(0));
    else
      return number;
  };
  for (std::ptrdiff_t i = 0; i < count; ++i)
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      T& element = to[i * to_stride];
      if constexpr (Count == 0)
        element = static_cast<T>(operation::template constant<T>());
      else if constexpr (!Info->pair)
        element = static_cast<T>(operation::value(operand(std::integral_constant<std::size_t, J>{}, i)...));
      else if constexpr (Second)
        element = operation::value(operand(std::integral_constant<std::size_t, J>{}, i)...).second;
      else
        element = operation::value(operand(std::integral_constant<std::size_t, J>{}, i)...).first;
    }(std::make_index_sequence<static_cast<std::size_t>(Count)>{});
}
template <const program::operation_info* Info, class T>
[[gnu::cold]] void reduce_row(T* to, std::ptrdiff_t to_stride, const T* const* from, const std::ptrdiff_t* strides,
                              std::ptrdiff_t count) {
  using operation = program::operation_of<Info>;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    T& element = to[i * to_stride];
    element = static_cast<T>(operation::combine(element, from[0][i * strides[0]]));
  }
}
template <const program::operation_info* Info, class T>
[[gnu::cold]] T neutral() {
  return static_cast<T>(program::operation_of<Info>::template neutral<T>());
}

template <const program::operation_info* Info, int Count, class T>
[[gnu::cold]] void compute_matrices(const strided<T>& to, const strided<T>* from) {
  [&]<std::size_t... J>(std::index_sequence<J...>) {
    program::operation_of<Info>::compute(to, from[J]...);
  }(std::make_index_sequence<static_cast<std::size_t>(Count)>{});
}

constexpr bool is_pair(const program::node& n) { return n.kind == program::node_kind::apply && n.operation->pair; }

template <class P, class T, std::size_t I>
constexpr node_code<T> code_of() {
  constexpr auto& p = P::value;
  constexpr program::node n = p.nodes[I];
  if constexpr (n.kind != program::node_kind::apply) {
    return {};
  } else if constexpr (n.operation->of_matrices) {
    return {nullptr, nullptr, &compute_matrices<n.operation, n.count, T>};
  } else if constexpr (n.operation->moves || n.operation->pair) {
    return {};
  } else if constexpr (n.reduced != 0) {
    return {&reduce_row<n.operation, T>, &neutral<n.operation, T>};
  } else if constexpr (n.count == 1 && is_pair(p[p.operand(I, 0)])) {
    // A member of a pair computes the pair.
    constexpr program::node pair = p[p.operand(I, 0)];
    constexpr bool second = program::applies(n, program::info<operation::Second>);
    return {&compute_row<pair.operation, pair.count, 0u, second, T>};
  } else {
    constexpr unsigned conditions = [] {
      unsigned result = 0;
      for (int j = 0; j < p.nodes[I].count; ++j)
        if (p[p.operand(I, j)].condition) result |= 1u << j;
      return result;
    }();
    return {&compute_row<n.operation, n.count, conditions, false, T>};
  }
}

}  // namespace detail

/// Memory of such a computation, used again by later calls.
template <class T>
struct array_memory {
  workspace<T> numbers;
  workspace<T*> data;
  workspace<std::ptrdiff_t> strides;
};

/// One computation of a program, which is given by its arrays: one instance a number type.
template <class T>
class array_by_array {
 public:
  program::graph_view graph;
  const program::tensor_access* accesses;
  const program::tensor_move* moves;
  const node_code<T>* codes;
  std::size_t axes;
  // What value_of(...) reads.
  const bound_number* bounds;
  const std::ptrdiff_t* extent;
  const T* numbers;
  const indices_at_call* indices;
  // Where each node lies.
  T** data_ = nullptr;
  std::ptrdiff_t* strides_ = nullptr;

 private:
  const program::node& at(int i) const { return graph.nodes[i]; }
  int operand(int i, int j) const { return graph.edges[at(i).first + j]; }
  std::ptrdiff_t* strides(int i) const { return strides_ + static_cast<std::size_t>(i) * axes; }
  std::ptrdiff_t extent_at(const program::tensor_access& access, std::size_t i) const {
    return access.axes[i] < 0 ? 1 : extent[access.axes[i]];
  }
  std::ptrdiff_t size(program::axis_set set) const {
    std::ptrdiff_t result = 1;
    for (; set; set &= set - 1) result *= extent[program::first_axis(set)];
    return result;
  }
  bool is_pair(int i) const { return detail::is_pair(at(i)); }
  bool is_bound(int i) const { return at(i).kind == program::node_kind::variable; }

  /// The axes of a set and the strides of some nodes along them, rows last.
  struct axis_list {
    int depth = 0;
    std::array<int, 64> ids{};
    std::array<std::ptrdiff_t, 64> at{};
  };
  axis_list list_of(program::axis_set set) const {
    axis_list result;
    for (; set; set &= set - 1) result.ids[static_cast<std::size_t>(result.depth++)] = program::first_axis(set);
    return result;
  }

  /// Runs the code of a node over `set`: rows along the last axis.
  [[gnu::cold]] void run_rows(int i, program::axis_set set) {
    if (size(set) == 0) return;
    const program::node& n = at(i);
    // A member of a pair works on what the pair does.
    const int from = n.count == 1 && is_pair(operand(i, 0)) ? operand(i, 0) : i;
    const int count = at(from).count;
    std::array<int, 4> nodes{i};
    std::array<T*, 4> place{data_[i]};
    for (int j = 0; j < count; ++j) {
      nodes[static_cast<std::size_t>(j) + 1] = operand(from, j);
      place[static_cast<std::size_t>(j) + 1] = data_[operand(from, j)];
    }
    axis_list all = list_of(set);
    const int row = all.depth ? all.ids[static_cast<std::size_t>(all.depth - 1)] : -1;
    std::array<std::ptrdiff_t, 4> step{};
    for (std::size_t j = 0; j < 4 && row >= 0; ++j) step[j] = strides(nodes[j])[row];
    const std::ptrdiff_t length = row < 0 ? 1 : extent[row];
    while (true) {
      codes[i].row(place[0], step[0], place.data() + 1, step.data() + 1, length);
      int k = all.depth - 1;
      while (true) {
        if (k <= 0) return;
        const std::size_t outer = static_cast<std::size_t>(--k);
        const int id = all.ids[outer];
        const bool again = ++all.at[outer] == extent[id];
        for (std::size_t j = 0; j < 4; ++j) place[j] += strides(nodes[j])[id] * (again ? 1 - extent[id] : 1);
        if (!again) break;
        all.at[outer] = 0;
      }
    }
  }

  [[gnu::cold]] void run_move(int i) {
    using enum program::move_kind;
    const program::node& n = at(i);
    const program::tensor_move* const first = moves + n.access;
    const strided<T> to = place(i, first->to);
    if (n.operation->of_matrices) {
      std::array<strided<T>, 4> from;
      for (int j = 0; j < n.count; ++j) from[static_cast<std::size_t>(j)] = place(operand(i, j), first[j].from);
      return codes[i].matrices(to, from.data());
    }
    if (first->kind == put && n.count == 3)
      copy(to, place(operand(i, 2), first->to));
    else if (first->kind == put || first->kind == sum_to || (first->kind == pad && n.count == 1))
      fill(to, T(0));
    if (first->has_indices()) return move_chosen(i, to, place(operand(i, 0), first->from));
    for (int j = 0; j < n.count; ++j) {
      const program::tensor_move& move = first[j];
      const std::size_t position = static_cast<std::size_t>(move.position);
      const strided<T> from = place(operand(i, j), move.from);
      std::ptrdiff_t begin = value_of(*this, move.begin);
      if (begin < 0) begin += (move.kind == slice ? from : to).extents[position];
      switch (move.kind) {
        case slice: copy(to, range(from, to, position, begin)); break;
        case pad: copy(range(to, from, position, begin), from); break;
        case reshape: loops::reshape(to, from); break;
        case broadcast: copy(to, spread(from, to)); break;
        case sum_to: add(spread(to, from), from); break;
        default: break;
      }
    }
  }
  /// A tensor over the extents of another: where its own are 1 it stays in place.
  static strided<T> spread(strided<T> tensor, const strided<T>& over) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(tensor.rank); ++k) {
      if (tensor.extents[k] == 1) tensor.strides[k] = 0;
      tensor.extents[k] = over.extents[k];
    }
    return tensor;
  }
  [[gnu::cold]] void move_chosen(int i, const strided<T>& to, const strided<T>& from) {
    const program::tensor_move& move = moves[at(i).access];
    const std::size_t position = static_cast<std::size_t>(move.position);
    const bool takes = move.kind == program::move_kind::take;
    const auto run = [&](auto index) {
      if (takes)
        take(to, from, position, index);
      else
        put(to, from, position, index);
    };
    const int chosen = operand(i, 1);
    if (is_bound(chosen) && indices[at(chosen).leaf].data) {
      const indices_at_call given = indices[at(chosen).leaf];
      return run([=](std::ptrdiff_t nth) { return given.data[nth * given.stride]; });
    }
    const strided<T> computed =
        place(chosen, {program::access_kind::variable, 0, 1, {(takes ? move.to : move.from).axes[position]}});
    for (std::ptrdiff_t k = 0; k < computed.extents[0]; ++k)
      check_index(computed.data[k * computed.strides[0]], (takes ? from : to).extents[position]);
    run([=](std::ptrdiff_t nth) { return computed.data[nth * computed.strides[0]]; });
  }

  /// Where nodes lie, if they follow `memory`: as much of it as is used.
  [[gnu::cold]] std::ptrdiff_t lay_out(T* memory) {
    std::ptrdiff_t used = 0;
    for (int i = 0; i < graph.size; ++i) {
      if (is_bound(i) || is_pair(i)) continue;
      data_[i] = memory ? memory + used : nullptr;
      std::ptrdiff_t stride = 1;
      const axis_list all = list_of(at(i).axes);
      for (int k = all.depth; k-- > 0;) {
        const int id = all.ids[static_cast<std::size_t>(k)];
        strides(i)[id] = extent[id] == 1 ? 0 : stride;
        stride *= extent[id];
      }
      used += stride;
    }
    return used;
  }

 public:
  /// A node as a tensor, its axes in the order of `access`.
  strided<T> place(int i, const program::tensor_access& access) const {
    strided<T> result{data_[i], access.rank, {}, {}};
    for (std::size_t k = 0; k < static_cast<std::size_t>(access.rank); ++k) {
      result.extents[k] = extent_at(access, k);
      result.strides[k] = access.axes[k] < 0 ? 0 : strides(i)[access.axes[k]];
    }
    return result;
  }

  /// Computes all nodes. `bind(variable)` is the tensor that a variable is bound to.
  template <class Bind>
  [[gnu::cold]] void run(array_memory<T>& memory, Bind bind) {
    const std::size_t nodes = static_cast<std::size_t>(graph.size);
    data_ = memory.data.reserve(nodes);
    strides_ = memory.strides.reserve(nodes * axes);
    std::fill_n(strides_, nodes * axes, 0);
    lay_out(memory.numbers.reserve(static_cast<std::size_t>(lay_out(nullptr))));
    for (int i = 0; i < graph.size; ++i) {
      const program::node& n = at(i);
      switch (n.kind) {
        case program::node_kind::variable: {
          const program::tensor_access& access = accesses[n.access];
          const auto& tensor = bind(n.leaf);
          data_[i] = tensor.data;
          for (std::size_t k = 0; k < static_cast<std::size_t>(access.rank); ++k)
            if (access.axes[k] >= 0 && tensor.extents[k] != 1) strides(i)[access.axes[k]] = tensor.strides[k];
          break;
        }
        case program::node_kind::extent: *data_[i] = static_cast<T>(extent[n.leaf]); break;
        case program::node_kind::index:
          for (std::ptrdiff_t k = 0; k < extent[n.leaf]; ++k) data_[i][k] = static_cast<T>(k);
          break;
        case program::node_kind::number: *data_[i] = numbers[n.leaf]; break;
        case program::node_kind::constant: *data_[i] = graph.constants[n.leaf].template as<T>(); break;
        case program::node_kind::stop: break;
        case program::node_kind::apply:
          if (is_pair(i)) break;
          if (n.operation->moves) {
            run_move(i);
          } else {
            if (n.reduced) std::fill_n(data_[i], size(n.axes), codes[i].neutral());
            run_rows(i, n.axes | n.reduced);
          }
          break;
      }
    }
  }
};

/// The codes of the nodes of the finished program `P`.
template <class P, class T>
inline constexpr auto node_codes = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<node_code<T>, sizeof...(I)>{detail::code_of<P, T, I>()...};
}(std::make_index_sequence<P::value.nodes.size()>{});

}  // namespace tapeless::loops::inline TAPELESS_TARGET

#endif
