#pragma once

#include <tapeless/core/no_result.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <array>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace error {

/// A fault, and the variable, operation or function that has it, which compilers print with the message. The
/// static_assert that reports it is in the public function itself, or in `report` if several functions share it.
/// Nothing else evaluates the fault, so that this message is the only one, and short.
template <program::fault Fault, class Subject>
struct at;

}  // namespace error

namespace detail {

using program::fault;

template <fault Fault, class Subject>
using wrong = std::type_identity<error::at<Fault, Subject>>;

template <bool Fits, fault Fault, class Subject>
using wrong_unless = std::type_identity<std::conditional_t<Fits, void, error::at<Fault, Subject>>>;
template <class Problem>
inline constexpr fault fault_of = fault::none;
template <fault Fault, class Subject>
inline constexpr fault fault_of<error::at<Fault, Subject>> = Fault;
/// Whether `Problem` is not `Fault`: the condition of the static_assert that reports it.
template <fault Fault, class Problem>
inline constexpr bool is_not = fault_of<Problem> != Fault;

/// The first problem there is.
constexpr auto first_problem() { return std::type_identity<void>{}; }
template <class Problem, class... Problems>
constexpr auto first_problem(std::type_identity<Problem>, Problems... problems) {
  if constexpr (std::is_void_v<Problem>)
    return first_problem(problems...);
  else
    return std::type_identity<Problem>{};
}

/// Runs the derivative rules of an operation, each by itself: whether they misused nothing.
template <class Op, int Count>
constexpr bool run_rules() {
  program::builder graph;
  int operands[Count];
  for (int& operand : operands) operand = append_variable(graph);
  const int result = graph.append_as_is(program::info<Op>, operands, Count);
  [&]<int... Which>(std::integer_sequence<int, Which...>) {
    (program::detail::contribution_by_rule<Op, Which>().function(graph, Which, result, graph.constant(1),
                                                                 program::direction::backward),
     ...);
  }(std::make_integer_sequence<int, Count>{});
  return graph.misuse == fault::none;
}
template <class Op, int Count, bool Run = run_rules<Op, Count>()>
constexpr bool can_run_rules(int /*preferred*/) {
  return Run;
}
template <class Op, int Count>
constexpr bool can_run_rules(long) {
  return false;
}
/// The first operation of the user's, besides those that are `Seen`, whose rules the compiler cannot run.
template <class Source, const program::operation_info*... Seen>
constexpr auto find_unusable_rule() {
  if constexpr (std::is_void_v<Source>) {
    return std::type_identity<void>{};
  } else {
    constexpr int found = [] {
      constexpr program::graph_view graph = Source::view();
      for (int i = 0; i < graph.size; ++i)
        if (const program::node& n = graph.nodes[i];
            n.kind == program::node_kind::apply && n.operation->rules_of_user && ((n.operation != Seen) && ...))
          return i;
      return -1;
    }();
    if constexpr (found < 0) {
      return std::type_identity<void>{};
    } else {
      constexpr const program::operation_info* unseen = Source::value.nodes[found].operation;
      if constexpr (can_run_rules<program::operation_of<unseen>, Source::value.nodes[found].count>(0))
        return find_unusable_rule<Source, unseen, Seen...>();
      else
        return wrong<fault::rule_unusable, program::operation_of<unseen>>{};
    }
  }
}
/// The operation in a loop of `Source` that has no rule, as `How` says; `void` if there is none.
template <class Source, fault How>
constexpr auto operation_in_loop() {
  constexpr int found = [] {
    constexpr program::graph_view graph = Source::view();
    for (int i = 0; i < graph.size; ++i)
      if (graph.nodes[i].kind == program::node_kind::apply && graph.nodes[i].operation->without_rule == How) return i;
    return -1;
  }();
  if constexpr (found >= 0)
    return std::type_identity<program::operation_of<Source::value.nodes[found].operation>>{};
  else
    return []<std::size_t... K>(std::index_sequence<K...>) {
      using loops = program::loops_in<Source>;
      return first_problem(operation_in_loop<typename loops::template operation<K>::body, How>()...);
    }(program::loops_in<Source>::all);
}
/// The last program on the way to `P` that could be made; `void` if there is none.
template <class P>
struct last_made : std::type_identity<void> {};
template <class Pass>
  requires requires { typename Pass::source; }
struct last_made<program::frozen<Pass>>
    : std::conditional_t<program::problem_of<typename Pass::source> == fault::none,
                         std::type_identity<typename Pass::source>, last_made<typename Pass::source>> {};

template <class P>
constexpr auto size_problem() {
  constexpr fault found = program::problem_of<P>;
  if constexpr (found == fault::none)
    return std::type_identity<void>{};
  else if constexpr (found == fault::not_run || found == fault::number_wanted || found == fault::condition_wanted ||
                     found == fault::operation_undefined) {
    constexpr fault otherwise = found == fault::not_run ? fault::compiler_limit_reached : fault::rule_unusable;
    using rule = decltype(find_unusable_rule<typename last_made<P>::type>());
    return std::conditional_t<std::is_void_v<typename rule::type>, wrong<otherwise, P>, rule>{};
  } else if constexpr (found == fault::sequence_captured)
    return wrong<fault::loop_captures_sequence, P>{};
  else if constexpr (found == fault::formula_met)
    return wrong<fault::operation_uses_variable, P>{};
  else if constexpr (found == fault::root_order_exceeded)
    return wrong<found, P>{};
  else if constexpr (found == fault::derivative_prevented || found == fault::operation_without_rule)
    return wrong<found, typename decltype(operation_in_loop<typename last_made<P>::type, found>())::type>{};
  else if constexpr (found == fault::too_large)
    return wrong<fault::program_too_large, P>{};
  else
    return wrong<found, void>{};
}

/// What keeps loops from being made: the size of their program `P`, or of its schedule `Plan`.
template <class P, class Plan>
constexpr auto loops_problem() {
  if constexpr (program::problem_of<P> != fault::none)
    return size_problem<P>();
  else if constexpr (!Plan::exists())
    return wrong<fault::compiler_limit_reached, P>{};
  else
    return std::type_identity<void>{};
}

/// Whether a path leads from one of the variables to an output and passes neither a stop nor a condition.
template <class Source, int... Variables>
constexpr bool has_open_path(std::integer_sequence<int, Variables...>) {
  constexpr std::array<int, sizeof...(Variables)> variables{Variables...};
  const auto active = program::active_nodes(Source::view(), variables, Source::value.outputs);
  for (const int output : Source::value.outputs)
    if (active[output]) return true;
  return false;
}

template <class Verb>
inline constexpr program::direction direction_of =
    Verb::does.what == derives::tangent ? program::direction::forward : program::direction::backward;
/// The operation that keeps a program from being differentiated by variables.
template <class Source, program::direction Way = program::direction::backward, int... Variables>
constexpr auto rule_problem(std::integer_sequence<int, Variables...>) {
  constexpr std::array<int, sizeof...(Variables)> variables{Variables...};
  constexpr const program::operation_info* found =
      program::first_without_rule(Source::view(), variables, Source::value.outputs, Way);
  if constexpr (!found)
    return std::type_identity<void>{};
  else if constexpr (Prevented<program::operation_of<found>>)
    return wrong<fault::derivative_prevented, program::operation_of<found>>{};
  else if constexpr (found->has_rule())
    return wrong<fault::rule_for_adjoints_alone, program::operation_of<found>>{};
  else
    return wrong<fault::operation_without_rule, program::operation_of<found>>{};
}

/// Says what is wrong with a call, as its own function has not: with the derivatives that it takes, the size of its
/// program, or its tensors.
template <class Problem, class Result = no_result>
constexpr Result report() {
  static_assert(is_not<fault::operation_without_rule, Problem>,
                "tapeless: an operation without a derivative rule is differentiated; give it `partials = rules(...)` "
                "or put it behind stop_gradient [TL104]");
  static_assert(
      is_not<fault::derivative_prevented, Problem>,
      "tapeless: a derivative is taken through prevent_gradient; PreventGradient<...> quotes its reason [TL106]");
  static_assert(is_not<fault::rule_for_adjoints_alone, Problem>,
                "tapeless: grad_clip and other operations on adjoints have no rule for tangents, which this needs; use "
                "gradient or vjp, or the jacobian of numbers [TL108]");
  static_assert(is_not<fault::operation_uses_variable, Problem>,
                "tapeless: what an operation expands to, or its rule, uses a variable of formulas; it can compute with "
                "its operands alone [TL252]");
  static_assert(is_not<fault::rule_unusable, Problem>,
                "tapeless: a rule of an operation, or what it expands to, cannot be computed: each rule takes "
                "(operands..., result) and gives one number, of traced values as in a function: "
                "where(condition, a, b) instead of an if, pow(x, 3_c) instead of std::pow [TL273]");
  static_assert(is_not<fault::root_order_exceeded, Problem>,
                "tapeless: implicit_root and fixed_point have derivatives of first order; write implicit_root<n> or "
                "fixed_point<n> for those of order n, 2 for a Hessian or hvp [TL268]");
  static_assert(is_not<fault::program_too_large, Problem>,
                "tapeless: with its derivatives, the program has more nodes than TAPELESS_MAX_NODES (default 16384); "
                "define a larger one before the first include, or split the formula or function [TL229]");
  static_assert(
      is_not<fault::compiler_limit_reached, Problem>,
      "tapeless: the compiler stopped the constant evaluation that builds the program; raise its limit, clang "
      "-fconstexpr-steps=100000000, g++ -fconstexpr-ops-limit=1000000000 -fconstexpr-loop-limit=100000000 or, for "
      "nested formulas, -fconstexpr-depth=4096 -ftemplate-depth=4096, or split the formula or function [TL232]");
  static_assert(is_not<fault::rank_too_large, Problem>, "tapeless: a tensor has at most 6 axes [TL145]");
  static_assert(is_not<fault::axis_out_of_range, Problem>,
                "tapeless: an operation names an axis that its operand does not have [TL146]");
  static_assert(is_not<fault::axis_named_twice, Problem>, "tapeless: an operation names an axis twice [TL147]");
  static_assert(is_not<fault::extents_differ, Problem>,
                "tapeless: the fixed shapes of two operands do not broadcast [TL148]");
  static_assert(is_not<fault::einsum_of_other_letters, Problem>,
                "tapeless: einsum needs one letter for each axis of an operand, all different: "
                "einsum<\"bij,bjk->bik\">(a, b) [TL149]");
  static_assert(is_not<fault::transpose_of_other_rank, Problem>,
                "tapeless: transpose must name each axis of its operand exactly once [TL150]");
  static_assert(
      is_not<fault::no_matrices, Problem>,
      "tapeless: matrix operations need tensors of rank 2 or more; the last two axes are rows and columns [TL151]");
  static_assert(is_not<fault::filling_no_number, Problem>,
                "tapeless: the value that pad puts around a tensor must be a number [TL152]");
  static_assert(is_not<fault::broadcast_to_smaller_rank, Problem>,
                "tapeless: broadcast_like needs a tensor whose rank is at most that of the other [TL153]");
  static_assert(is_not<fault::surgery_adds_axes, Problem>,
                "tapeless: custom_gradient, grad_scale and grad_clip act on each element: partials, factors and bounds "
                "cannot have a higher rank than the value [TL251]");
  static_assert(is_not<fault::diag_of_other_rank, Problem>, "tapeless: diag needs a vector or a matrix [TL154]");
  static_assert(
      is_not<fault::bounds_not_numbers, Problem>,
      "tapeless: numbers of steps, indices, the bounds of a slice and the classes of one_hot must be integers: "
      "literals, or arguments that are not computed with; so must the step of a slice, and the numbers of roll, pad, "
      "tril, triu and segment_sum [TL155]");
  static_assert(is_not<fault::indices_of_other_rank, Problem>,
                "tapeless: the segments of segment_sum must be a vector [TL156]");
  static_assert(
      is_not<fault::indices_of_batch, Problem>,
      "tapeless: in batched, the indices of take must be the same for all elements, without each(...) [TL157]");
  static_assert(is_not<fault::reshape_of_unknown_extents, Problem>,
                "tapeless: reshape can leave only one extent open (-1) [TL158]");
  static_assert(is_not<fault::too_many_axes, Problem>,
                "tapeless: the formula or function has more than 128 axes; split it [TL159]");
  static_assert(is_not<fault::loop_over_number, Problem>,
                "tapeless: a scan runs over the first axis of a tensor, not over a number; write steps(n) for a number "
                "of steps [TL160]");
  static_assert(
      is_not<fault::system_without_lapack, Problem>,
      "tapeless: implicit_root of a vector solves a system of equations: include <tapeless/lapack.hpp> [TL240]");
  static_assert(is_not<fault::carry_of_other_rank, Problem>,
                "tapeless: the body of a scan must return carries of the shapes that they start from; broadcast_like "
                "gives a first carry the shape of another tensor [TL161]");
  static_assert(is_not<fault::branches_of_other_rank, Problem>,
                "tapeless: both functions of cond must return results of the same rank [TL162]");
  static_assert(
      is_not<fault::condition_no_number, Problem>,
      "tapeless: the condition of cond and while_loop is one number, such as amax(x) > 0; where(c, a, b) selects "
      "for each element [TL163]");
  static_assert(
      is_not<fault::value_is_no_number, Problem>,
      "tapeless: a gradient or a Hessian needs a result that is one number; reduce it first: sum(f), mean(f) [TL165]");
  static_assert(is_not<fault::bound_in_step, Problem>,
                "tapeless: in the body of a loop over tensors, bounds and numbers of steps are literals, or the steps "
                "those of a sequence; an integer argument is none of them [TL241]");
  static_assert(
      is_not<fault::matrix_inside, Problem>,
      "tapeless: inside a function, jacobian needs results that are numbers or vectors, and hessian arguments "
      "that are numbers but for one vector; vjp, jvp and hvp take any tensors [TL242]");
  static_assert(
      is_not<fault::cotangent_of_other_shape, Problem>,
      "tapeless: the cotangent of vjp must have the shape of the formula or of the function's result [TL166]");
  static_assert(is_not<fault::direction_of_other_shape, Problem>,
                "tapeless: the tangent or cotangent of a verb inside a function must have the rank of the argument or "
                "of the result that it belongs to [TL167]");
  static_assert(is_not<fault::no_tensor_bound, Problem>,
                "tapeless: sum(f), dot(f, g) and similar operations need a tensor, and no tensor is bound [TL168]");
  static_assert(is_not<fault::formula_inside, Problem>,
                "tapeless: a formula over tensors cannot be called in a function; write it as a function too [TL243]");
  static_assert(is_not<fault::batched_inside, Problem>,
                "tapeless: batched(verb) is called with arrays, not inside a function; there operations of tensors "
                "act on all elements, and scan runs over them [TL244]");
  static_assert(is_not<fault::shard_without_rows, Problem>,
                "tapeless: mpi::shard needs a tensor whose first extent is known at run time [TL202]");
  static_assert(is_not<fault::shards_meet_shards, Problem>,
                "tapeless: the formula combines each row of one shard with each row of another, and a process does not "
                "have the rows of others; bind one of the two whole, without mpi::shard [TL203]");
  static_assert(is_not<fault::whole_meets_shards, Problem>,
                "tapeless: a tensor that is not sharded has an axis along which others are sharded; bind it as "
                "mpi::shard(...) too or, if it is the same for each row, without that axis [TL204]");
  static_assert(is_not<fault::shards_reordered, Problem>,
                "tapeless: slice, take, reshape, concatenate, argmax, one_hot and matrix operations do not work along "
                "a sharded axis, as a process does not have the rows of others; apply them before mpi::shard [TL205]");
  static_assert(is_not<fault::matrix_by_shards, Problem>,
                "tapeless: on several processes, jacobian and hessian work only with respect to variables that are not "
                "sharded; name those in wrt(...) [TL206]");
  static_assert(is_not<fault::too_many_shards, Problem>,
                "tapeless: at most four axes can be sharded, and only one with mpi::reproducible [TL207]");
  return {};
}

}  // namespace detail

}  // namespace tapeless
