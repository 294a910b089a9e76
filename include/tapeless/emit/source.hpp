#pragma once

#include <tapeless/emit/operations.hpp>
#include <tapeless/program/graph/loops_in.hpp>
#include <tapeless/program/pass/loop_body.hpp>
#include <tapeless/program/schedule/schedule.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

/// A finished program with the bodies of its loops, as values: what is written needs no types.
namespace tapeless::detail {

/// How long an axis is: a constant, parameter number `number` of the function, or what rule number `number` of a
/// program says; over numbers, the number or the length of the sequence that is variable `number`.
struct c_axis {
  enum class of : unsigned char { unknown, constant, parameter, rule, variable } kind{};
  std::int64_t number = 1;
  /// How many programs there are around the one whose rule it is.
  int depth = 0;

  constexpr bool is(std::int64_t constant) const { return kind == of::constant && number == constant; }
};
/// How a program over tensors is written, as nests of loops; of one over numbers there is none.
struct c_plan {
  bool exists = false;
  std::span<const program::step> steps{};
  std::span<const program::kernel> kernels{};
  std::span<const program::buffer> buffers{};
  std::span<const program::axis_rule> rules{};
  /// How each output lies in memory.
  std::span<const program::tensor_access> outputs{};
  std::span<const c_axis> axes{};
};

struct c_source;
/// A loop: its node, which of its outputs are read, and its body.
struct c_loop {
  int node;
  operation::scan_shape shape;
  const bool* live;
  const c_source* body;
};

struct c_source {
  program::graph_view view;
  std::span<const int> outputs;
  std::span<const c_loop> loops;
  /// The operations without operands, which are constants, and their values.
  std::span<const int> constants;
  const double* values;
  c_plan plan;

  constexpr const c_loop& loop(int node) const {
    auto found = loops.begin();
    while (found->node != node) ++found;
    return *found;
  }
  constexpr double constant(int node) const {
    std::size_t k = 0;
    while (constants[k] != node) ++k;
    return values[k];
  }
};

/// Where programs are over numbers: a body is finished for what is read of it.
struct c_unplanned {
  static constexpr c_plan plan{};
  template <class Source, std::size_t K>
  using body = typename Source::template finished_body<K>;
};
/// The finished program `P`, with the plan and the bodies that `Plan` has.
template <class P, class T, class Plan = c_unplanned>
struct c_source_of {
  using loops = program::loops_in<P>;
  template <std::size_t K>
  static constexpr auto live_flags = [] {
    using Op = typename loops::template operation<K>;
    program::detail::output_flags<Op> live;
    for (const program::node& n : P::value.nodes)
      if (program::reads_loop(n) && loops::view.edges[n.first] == loops::nodes[K]) live.set(n.operation->output_read);
    return live;
  }();
  template <std::size_t K>
  static constexpr auto live = [] {
    std::array<bool, static_cast<std::size_t>(loops::template operation<K>::outputs) + 1> result{};
    for (std::size_t i = 0; i + 1 < result.size(); ++i) result[i] = live_flags<K>[static_cast<int>(i)];
    return result;
  }();
  template <std::size_t K>
  using finished_body =
      c_source_of<program::frozen<program::finish_body<typename loops::template operation<K>, live_flags<K>>>, T>;

  static constexpr auto all_loops = []<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<c_loop, sizeof...(K)>{c_loop{loops::nodes[K], loops::template operation<K>::shape, live<K>.data(),
                                                   &Plan::template body<c_source_of, K>::value}...};
  }(loops::all);
  static constexpr auto constants = program::as_array([] {
    program::growing_array<int> found;
    for (int i = 0; i < loops::view.size; ++i)
      if (loops::view.nodes[i].kind == program::node_kind::apply && loops::view.nodes[i].count == 0) found.push_back(i);
    return found;
  });
  static constexpr auto values = []<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<double, sizeof...(K)>{
        static_cast<double>(program::operation_of<P::value[constants[K]].operation>::template constant<T>())...};
  }(std::make_index_sequence<constants.size()>{});

  static constexpr c_source value{P::view(), P::value.outputs, all_loops, constants, values.data(), Plan::plan};
};

/// How many operands of an operation its text reads.
constexpr int operands_in_text(const program::node& n) {
  const auto is = [&](const program::operation_info& of) { return program::applies(n, of); };
  if (is(program::info<operation::TimesInverse>) || is(program::info<operation::UniformQuotient>)) return 2;
  return is(program::info<operation::ShareOfEqual>) || is(program::info<operation::Broadcast>) ? 1 : n.count;
}
/// The nodes whose values the texts of others read, or the results: not all operands do.
constexpr program::growing_array<char> nodes_in_texts(const c_source& source) {
  program::growing_array<char> read(source.view.size, 0);
  for (const int output : source.outputs) read[output] = 1;
  for (int i = source.view.size - 1; i >= 0; --i) {
    const program::node& n = source.view.nodes[i];
    if (!read[i] || n.kind != program::node_kind::apply) continue;
    const int* const operands = source.view.edges + n.first;
    int count = operands_in_text(n);
    if (program::is_loop(n)) {
      // Of what the body captures, that which it reads.
      const c_loop& loop = source.loop(i);
      const program::growing_array<char> read_in_body = nodes_in_texts(*loop.body);
      for (int j = 0; j < read_in_body.size; ++j)
        if (const program::node& v = loop.body->view.nodes[j];
            read_in_body[j] && v.kind == program::node_kind::variable && v.leaf < loop.shape.operands() - 1)
          read[operands[1 + v.leaf]] = 1;
      count = 1 + loop.shape.carries;
    }
    for (int j = 0; j < count; ++j) read[operands[j]] = 1;
  }
  return read;
}

}  // namespace tapeless::detail
