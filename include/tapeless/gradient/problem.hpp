#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/no_result.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/program/pass/pass.hpp>

#include <array>
#include <type_traits>
#include <utility>

namespace tapeless {

/// The mistakes that a call can contain. Each is a type that names the variable or the operation, so that compilers
/// print it with the message. The static_assert that reports it is in the public function itself, or in report.hpp if
/// several functions share it. Nothing else evaluates the mistake, so that this message is the only one, and short.
namespace error {

/// An error that has its message already.
template <class T>
struct reported;
template <class Op>
struct operation_without_rule;
template <class Op>
struct derivative_prevented;
template <class Op>
struct rule_for_adjoints_alone;
template <class P>
struct program_too_large;
template <class P>
struct compiler_limit_reached;
template <class P>
struct loop_captures_sequence;
template <class G>
struct call_not_over_tensors;

}  // namespace error

namespace detail {

/// Whether `Problem` is not `Mistake`: the condition of the static_assert that reports it.
template <template <class> class Mistake, class Problem>
inline constexpr bool is_not = true;
template <template <class> class Mistake, class T>
inline constexpr bool is_not<Mistake, Mistake<T>> = false;

/// The first problem there is.
constexpr auto first_problem() { return std::type_identity<void>{}; }
template <class Problem, class... Problems>
constexpr auto first_problem(std::type_identity<Problem>, Problems... problems) {
  if constexpr (std::is_void_v<Problem>)
    return first_problem(problems...);
  else
    return std::type_identity<Problem>{};
}

template <class P>
constexpr auto size_problem() {
  if constexpr (program::problem_of<P> == program::fault::none)
    return std::type_identity<void>{};
  else if constexpr (program::problem_of<P> == program::fault::not_run)
    return std::type_identity<error::compiler_limit_reached<P>>{};
  else if constexpr (program::problem_of<P> == program::fault::sequence_captured)
    return std::type_identity<error::loop_captures_sequence<P>>{};
  else
    return std::type_identity<error::program_too_large<P>>{};
}

/// What keeps loops from being made: the size of their program `P`, or of its schedule `Plan`.
template <class P, class Plan>
constexpr auto loops_problem() {
  if constexpr (program::problem_of<P> != program::fault::none)
    return size_problem<P>();
  else if constexpr (!Plan::exists())
    return std::type_identity<error::compiler_limit_reached<P>>{};
  else
    return std::type_identity<void>{};
}

/// The operation that keeps a program from being differentiated by variables, null if there is none.
template <class Source, program::direction Way, int... Variables>
inline constexpr const program::operation_info* blocking_operation = [] {
  constexpr std::array<int, sizeof...(Variables)> variables{Variables...};
  return program::first_without_rule(Source::view(), variables, Source::value.outputs, Way);
}();
template <class Verb>
inline constexpr program::direction direction_of =
    Verb::does.what == derives::tangent ? program::direction::forward : program::direction::backward;
template <class Source, program::direction Way = program::direction::backward, int... Variables>
constexpr auto rule_problem(std::integer_sequence<int, Variables...>) {
  if constexpr (constexpr const program::operation_info* found = blocking_operation<Source, Way, Variables...>; !found)
    return std::type_identity<void>{};
  else if constexpr (Prevented<program::operation_of<found>>)
    return std::type_identity<error::derivative_prevented<program::operation_of<found>>>{};
  else if constexpr (found->has_rule)
    return std::type_identity<error::rule_for_adjoints_alone<program::operation_of<found>>>{};
  else
    return std::type_identity<error::operation_without_rule<program::operation_of<found>>>{};
}

}  // namespace detail

}  // namespace tapeless
