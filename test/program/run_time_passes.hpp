#ifndef TAPELESS_TEST_PROGRAM_RUN_TIME_PASSES_HPP
#define TAPELESS_TEST_PROGRAM_RUN_TIME_PASSES_HPP

#include <tapeless/tapeless.hpp>

#include <tapeless/evaluate/kernels/nest.hpp>
#include <tapeless/evaluate/node_by_node.hpp>
#include <tapeless/gradient/tensor/extents_at_call.hpp>
#include <tapeless/operation/tensor/over_axes.hpp>
#include <tapeless/program/graph/verify.hpp>
#include <tapeless/program/lower/tensor_lowering.hpp>
#include <tapeless/program/pass/pass.hpp>
#include <tapeless/program/schedule/equal_kernels.hpp>
#include <tapeless/program/schedule/verify_plan.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The passes at run time: the functions that the compiler runs on a user's formula, on thousands of programs that no
/// compiler sees.
namespace run_time {

using namespace tapeless::program;
namespace operation = tapeless::operation;

/// The same numbers with every compiler.
class random_numbers {
  std::uint64_t state_;

 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) { state_ = next() ^ seed << 32; }
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class... Ops>
  const operation_info& one_of() {
    const operation_info* all[] = {&info<Ops>...};
    return *all[below(sizeof...(Ops))];
  }
  /// One of `count` numbers, rather of the last.
  int recent(int count) { return chance(50) ? count - 1 - below(std::min(count, 4)) : below(count); }
  long double real() { return static_cast<long double>(next() >> 11) / 9007199254740992.0L * 3 - 1.5L; }
};

inline std::string text_of_axes(axis_set axes) {
  std::string text;
  for (; axes; axes &= axes - 1) text += " " + std::to_string(first_axis(axes));
  return text;
}

/// The nodes of a program, a line each, to look at.
template <class Program>
std::string text_of(const Program& program) {
  std::ostringstream text;
  for (std::size_t i = 0; i < program.nodes.size(); ++i) {
    const node& n = program.nodes[i];
    text << i << ": "
         << (n.kind == node_kind::apply      ? n.operation->name
             : n.kind == node_kind::constant ? "constant"
                                             : "leaf");
    if (n.kind != node_kind::apply) text << " " << n.leaf;
    for (int j = 0; j < n.count; ++j) text << " " << program.edges[static_cast<std::size_t>(n.first + j)];
    text << "  axes" << text_of_axes(n.axes) << " reduced" << text_of_axes(n.reduced) << "\n";
  }
  return text.str();
}

/// What `program` is, with extents that are known at run time alone.
struct finished_program {
  std::vector<node> nodes;
  std::vector<int> edges;
  std::vector<constant_value> constants;
  std::vector<std::string_view> variables;
  std::vector<int> outputs;
  std::vector<tensor_access> accesses;
  std::vector<tensor_move> moves;
  std::vector<axis_rule> axis_rules;
  std::vector<extent_use> extent_uses;
  std::vector<axis_source> axis_sources;
  int numbers = 0;
  bool compares_extents = false;
  bool plain = false;
  bool has_conditions = false, has_sequences = false;

  explicit finished_program(const builder& from)
      : numbers(from.numbers),
        compares_extents(from.compares_extents),
        plain(from.plain),
        has_conditions(from.has_conditions),
        has_sequences(from.has_sequences) {
    const auto copy = [](auto& to, const auto& array) { to.assign(array.begin(), array.end()); };
    copy(nodes, from.nodes), copy(edges, from.edges), copy(constants, from.constants), copy(outputs, from.outputs);
    copy(variables, from.variables), copy(accesses, from.accesses), copy(moves, from.moves);
    copy(axis_rules, from.axis_rules), copy(extent_uses, from.extent_uses), copy(axis_sources, from.axis_sources);
    if (from.too_large) throw std::length_error("too large");
    refuse(find_fault(*this));
  }
  void refuse(const program_fault& found) const {
    if (found.rule != program_rule::none)
      throw std::logic_error(text_of(*this) + "no program: rule " + std::to_string(static_cast<int>(found.rule)) +
                             " at node " + std::to_string(found.node));
  }
};

/// How output number `output` of a lowered program lies in memory.
inline const tensor_access& output_access(const finished_program& program, std::size_t output) {
  return *std::ranges::find_if(program.accesses, [&](const tensor_access& a) {
    return a.kind == access_kind::output && a.of == static_cast<int>(output);
  });
}

/// What is differentiated, as the passes ask for it.
struct request {
  struct without_loops {
    static constexpr bool has_sequences = false;
  };
  struct source {
    static constexpr without_loops value{};
  };
  static inline std::vector<int> of_variables, of_outputs;
  static constexpr bool seeds_differ = false;
  static std::span<const int> variables() { return of_variables; }
  static std::span<const int> outputs() { return of_outputs; }
};

/// The operations that programs here have, those that derivatives and rewrites bring included.
template <class Visit>
void for_each_operation(const Visit& visit) {
  const auto visit_all = [&]<class... Ops>(operation::list<Ops...>) { (visit.template operator()<Ops>(), ...); };
  using namespace operation;
  visit_all(all());
  visit_all(list<MultiplyAdd, MultiplySubtract, SubtractProduct, TimesInverse, UniformQuotient, Larger, Smaller, Where,
                 And, Or, Not, Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual, SoftmaxExp, RootOfSquares,
                 LargestNumber, LnTwo, LnTen, TwoOverSqrtPi, SmallestNormal, ZeroPower<2>, ZeroProduct<0>,
                 ZeroProduct<1>, RootBeyondRange, ProductOfOthers, OverSquares, TanhSlope, SineCosine, ErfcGaussian>());
  visit_all(list<Sum, Prod, NonzeroProd, AMax, AMin, Any>());
}

/// How many operands an operation has.
template <class Op, class T>
constexpr int count_of() {
  using namespace operation;
  using tapeless::detail::is_one_of;
  if constexpr (is_one_of<Op, MultiplyAdd, MultiplySubtract, SubtractProduct, TimesInverse>)
    return 3;
  else if constexpr (is_one_of<Op, Larger, Smaller, OverSquares, TanhSlope>)
    return 2;
  else if constexpr (is_one_of<Op, SineCosine, ErfcGaussian>)
    return 1;
  else if constexpr (detail::operands_in(info<Op>.opcode) >= 0)
    return detail::operands_in(info<Op>.opcode);
  else if constexpr (requires { Op::partials; })
    return static_cast<int>(tapeless::detail::arity<Op>);
  else if constexpr (requires { Op::template constant<T>(); })
    return 0;
  else if constexpr (requires(T x) { Op::value(x); })
    return 1;
  else
    return requires(T x) { Op::value(x, x); } ? 2 : 3;
}

/// Operations of matrices, as those of LAPACK are: the lower triangle, and the product.
struct LowerTriangle {
  static constexpr std::string_view name = "lower_triangle";
  static constexpr bool of_matrices = true;

  template <class T>
  static void compute(const tapeless::loops::strided<T>& to, const tapeless::loops::strided<T>& from) {
    const auto row = static_cast<std::size_t>(to.rank - 2);
    to.for_each(
        [&](const auto& at) { to.data[to.offset(at)] = at[row] >= at[row + 1] ? from.data[from.offset(at)] : T(0); });
  }
  static constexpr matrix_value pullback(int, const matrix_value& adjoint, const matrix_value&, const matrix_value* a) {
    return matrix_value::of<LowerTriangle>(a[0], adjoint);
  }
  static constexpr matrix_value tangent(int, const matrix_value& t, const matrix_value& result, const matrix_value*) {
    return matrix_value::of<LowerTriangle>(result, t);
  }
};
struct MatrixProduct {
  static constexpr std::string_view name = "matrix_product";
  static constexpr bool of_matrices = true;

  template <class T>
  static void compute(const tapeless::loops::strided<T>& to, const tapeless::loops::strided<T>& a,
                      const tapeless::loops::strided<T>& b) {
    const auto row = static_cast<std::size_t>(to.rank - 2);
    for (std::size_t k = 0; k < row; ++k)
      if (a.extents[k] != to.extents[k] || b.extents[k] != to.extents[k]) throw std::logic_error("leading axes differ");
    if (a.extents[row] != to.extents[row] || b.extents[row + 1] != to.extents[row + 1] ||
        a.extents[row + 1] != b.extents[row])
      throw std::logic_error("matrices do not fit");
    to.for_each([&](auto at) {
      T sum = 0;
      for (std::ptrdiff_t k = 0; k < a.extents[row + 1]; ++k) {
        auto left = at, right = at;
        left[row + 1] = right[row] = k;
        sum += a.data[a.offset(left)] * b.data[b.offset(right)];
      }
      to.data[to.offset(at)] = sum;
    });
  }
  static constexpr matrix_value pullback(int which, const matrix_value& adjoint, const matrix_value&,
                                         const matrix_value* m) {
    return which == 0 ? matrix_value::of<MatrixProduct>(m[0], adjoint, m[1].transposed())
                      : matrix_value::of<MatrixProduct>(m[1], m[0].transposed(), adjoint);
  }
  static constexpr matrix_value tangent(int which, const matrix_value& t, const matrix_value& result,
                                        const matrix_value* m) {
    return which == 0 ? matrix_value::of<MatrixProduct>(result, t, m[1])
                      : matrix_value::of<MatrixProduct>(result, m[0], t);
  }
};

template <class T>
using code_table = std::map<const operation_info*, tapeless::loops::node_code<T>>;

/// How operations are computed; of a pair, the second of it is at `second`.
template <class T>
struct codes {
  code_table<T> first, second;

  codes() {
    for_each_operation([&]<class Op>() {
      namespace code = tapeless::loops::detail;
      constexpr const operation_info* own = &info<Op>;
      tapeless::loops::node_code<T>& to = first[own];
      if constexpr (tapeless::detail::Reduction<Op>) {
        to.neutral = &code::neutral<own, T>, to.combine = &code::combine<own, T>;
      } else if constexpr (!tapeless::detail::Composite<Op>) {
        constexpr int count = count_of<Op, T>();
        constexpr bool logical = own->opcode == opcode::logical_and || own->opcode == opcode::logical_or ||
                                 own->opcode == opcode::logical_not;
        constexpr unsigned conditions = logical ? (1u << count) - 1 : own->opcode == opcode::where ? 1 : 0;
        to.element = &code::compute_element<own, count, conditions, false, T>;
        if constexpr (own->pair) second[own].element = &code::compute_element<own, count, conditions, true, T>;
      }
    });
  }
  /// Of an operation of matrices.
  static tapeless::loops::node_code<T> code_of_matrices(const operation_info& op) {
    namespace code = tapeless::loops::detail;
    tapeless::loops::node_code<T> result;
    result.matrices = op == info<LowerTriangle> ? &code::compute_matrices<&info<LowerTriangle>, 1, T>
                                                : &code::compute_matrices<&info<MatrixProduct>, 2, T>;
    return result;
  }
  static const codes& table() {
    static const codes result;
    return result;
  }
  std::vector<tapeless::loops::node_code<T>> of(const finished_program& program) const {
    std::vector<tapeless::loops::node_code<T>> result;
    for (const node& n : program.nodes) {
      const bool second_of_pair = applies(n, info<operation::Second>);
      const operation_info* op = n.operation;
      if (second_of_pair || applies(n, info<operation::First>))
        op = program.nodes[static_cast<std::size_t>(program.edges[static_cast<std::size_t>(n.first)])].operation;
      if (n.kind != node_kind::apply || n.operation->moves) {
        result.push_back(n.kind == node_kind::apply && n.operation->of_matrices ? code_of_matrices(*n.operation)
                                                                                : tapeless::loops::node_code<T>());
        continue;
      }
      const code_table<T>& from = second_of_pair ? second : first;
      const auto found = from.find(op);
      if (found == from.end()) throw std::logic_error("run_time: unknown operation " + std::string(n.operation->name));
      result.push_back(found->second);
    }
    return result;
  }
};

/// The rule of operand number `which` of an operation.
inline const detail::contribution_rule& rule_of(const operation_info& op, int which) {
  static const auto rules = [] {
    std::map<std::pair<const operation_info*, int>, detail::contribution_rule> result;
    for_each_operation([&]<class Op>() {
      if constexpr (requires { Op::partials; }) {
        if constexpr (tapeless::detail::Reduction<Op>)
          result[{&info<Op>, 0}] = detail::contribution_by_rule<Op, 0>();
        else
          [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((result[{&info<Op>, static_cast<int>(I)}] = detail::contribution_by_rule<Op, static_cast<int>(I)>()), ...);
          }(std::make_index_sequence<tapeless::detail::arity<Op>>{});
      }
    });
    return result;
  }();
  const auto found = rules.find({&op, which});
  if (found == rules.end()) throw std::logic_error("run_time: no rule of " + std::string(op.name));
  return found->second;
}

}  // namespace run_time

namespace tapeless::program {

template <>
class rule_table<run_time::request> {
 public:
  static guarded contribution(builder& graph, int index, int which, int incoming, direction way) {
    const detail::contribution_rule& rule = run_time::rule_of(*graph.nodes[index].operation, which);
    return rule.is_whole ? guarded{incoming} : rule.function(graph, which, index, incoming, way);
  }
};

}  // namespace tapeless::program

namespace run_time {

/// The outputs of `program` and their derivatives, weighted with cotangents that are further variables, or with 1: of
/// each use of each of `variables`.
inline builder with_derivatives(const finished_program& program, const std::vector<int>& outputs,
                                const std::vector<int>& variables, bool cotangents) {
  builder graph = thawed(program, stage::derivative);
  request::of_variables = variables, request::of_outputs = outputs;
  std::vector<int> seeds;
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!cotangents) {
      seeds.push_back(graph.constant(1));
    } else if (program.accesses.empty()) {
      seeds.push_back(append_variable(graph));
    } else {
      const int seed = append_variable(graph, output_access(program, o));
      const axis_set over = graph.nodes[seed].axes & ~graph.nodes[outputs[o]].axes;
      seeds.push_back(over ? graph.append_reduction(info<operation::Sum>, seed, over) : seed);
    }
  }
  if (program.accesses.empty()) {
    for (const int derivative : reverse<request>(graph, outputs, seeds)) graph.outputs.push_back(derivative);
  } else {
    const growing_array<guarded> adjoint = adjoints<request>(graph, outputs, std::span<const int>(seeds));
    for (const variable_use& use : variable_uses(view_of(program), program.outputs, variables))
      graph.outputs.push_back(adjoint[use.node].none() ? graph.constant(0) : adjoint[use.node].node);
  }
  return graph;
}

/// The outputs of `program`, and the tangents of those from number `begin` on, along tangents of `variables` that are
/// further variables.
inline builder with_tangents(const finished_program& program, std::size_t begin, const std::vector<int>& variables) {
  builder graph = thawed(program, stage::derivative);
  request::of_variables = variables;
  request::of_outputs.assign(program.outputs.begin() + static_cast<std::ptrdiff_t>(begin), program.outputs.end());
  const int nodes = graph.nodes.size;
  growing_array<guarded> seeds(nodes, guarded{});
  for (const int v : variables) {
    graph.variables.push_back("");
    const int tangent = graph.variables.size - 1;
    for (int i = 0; i < nodes; ++i) {
      if (graph.nodes[i].kind != node_kind::variable || graph.nodes[i].leaf != v) continue;
      if (program.accesses.empty()) {
        seeds[i] = {graph.variable(tangent)};
      } else {
        tensor_access access = graph.accesses[graph.nodes[i].access];
        access.of = tangent;
        seeds[i] = {graph.read(access)};
      }
    }
  }
  while (seeds.size < graph.nodes.size) seeds.push_back({});
  for (const int tangent : forward_from<request>(graph, request::of_outputs, seeds)) graph.outputs.push_back(tangent);
  return graph;
}

/// Checks the plan of a finished program, whose output number o lies in memory as `accesses[o]` says, and adds up what
/// it costs.
struct plan_cost {
  long nodes = 0, kernels = 0, buffers = 0, stored = 0;
};
inline plan_cost check_plan(const finished_program& program, const std::vector<tensor_access>& accesses) {
  growing_array<scheduled_output> outputs;
  growing_array<char> costly;
  for (std::size_t o = 0; o < program.outputs.size(); ++o) outputs.push_back({program.outputs[o], accesses[o].set()});
  for (const node& n : program.nodes) costly.push_back(is_expensive(n));
  schedule_builder plan = detail::scheduler(view_of(program), outputs, costly, 0).run();
  equal_kernels(view_of(program), plan).find();
  const auto accumulated = std::make_unique<bool[]>(static_cast<std::size_t>(plan.buffers.size + 1));
  for (int b = 0; b < plan.buffers.size; ++b)
    accumulated[static_cast<std::size_t>(b)] =
        plan.buffers[b].reduction &&
        tapeless::loops::detail::loop_order(plan.kernels[plan.buffers[b].kernel], plan.steps.data, program.nodes.data())
            .accumulates(program.nodes[static_cast<std::size_t>(plan.buffers[b].node)].reduced);
  const plan_fault found =
      find_fault({view_of(program), plan.steps.data, plan.kernels.data, plan.buffers.data, accumulated.get(),
                  outputs.data, plan.steps.size, plan.kernels.size, plan.buffers.size, outputs.size, 0});
  if (found.rule != plan_rule::none)
    throw std::logic_error(text_of(program) + "no plan: rule " + std::to_string(static_cast<int>(found.rule)) +
                           ", kernel " + std::to_string(found.kernel) + ", step " + std::to_string(found.step) +
                           ", node " + std::to_string(found.node));
  plan_cost cost{static_cast<long>(program.nodes.size()), plan.kernels.size, plan.buffers.size, 0};
  for (int b = 0; b < plan.buffers.size; ++b)
    cost.stored += plan.buffers[b].output < 0 && plan.buffers[b].within < 0 && !plan.buffers[b].block;
  return cost;
}

/// try_program(number, what it is called) for as many programs as TAPELESS_PROGRAMS says, from the one on whose number
/// TAPELESS_FIRST_PROGRAM is; until one throws. Gives how many there are, and whether they
/// are the first 5000, whose costs are known.
struct tried_programs {
  long count;
  bool are_usual;
};
template <class Try>
tried_programs try_programs(const Try& try_program) {
  const auto number_in = [](const char* name, long otherwise) {
    const char* const given = std::getenv(name);
    return given ? std::strtol(given, nullptr, 10) : otherwise;
  };
  const long begin = number_in("TAPELESS_FIRST_PROGRAM", 1), count = number_in("TAPELESS_PROGRAMS", 5000);
  for (long seed = begin; seed < begin + count; ++seed) {
    std::string text;
    try {
      try_program(static_cast<std::uint64_t>(seed), text);
    } catch (const std::exception& wrong) {
      BOOST_FAIL("program " << seed << ": " << wrong.what() << "\n  " << text);
    }
  }
  return {count, begin == 1 && count == 5000};
}

}  // namespace run_time

#endif
