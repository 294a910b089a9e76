#ifndef TAPELESS_PROGRAM_OPERATION_INFO_HPP
#define TAPELESS_PROGRAM_OPERATION_INFO_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/fixed_string.hpp>
#include <tapeless/operation/axis_reduction.hpp>
#include <tapeless/operation/list.hpp>
#include <tapeless/program/builder.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace tapeless::program {

namespace detail {

template <class Op>
constexpr algebra algebra_of() {
  using namespace operation;
  using enum algebra;
  if constexpr (std::same_as<Op, Add>)
    return add;
  else if constexpr (std::same_as<Op, Subtract>)
    return subtract;
  else if constexpr (std::same_as<Op, Multiply>)
    return multiply;
  else if constexpr (std::same_as<Op, Divide>)
    return divide;
  else if constexpr (std::same_as<Op, Negate>)
    return negate;
  else if constexpr (std::same_as<Op, Less>)
    return less;
  else if constexpr (std::same_as<Op, LessEqual>)
    return less_equal;
  else if constexpr (std::same_as<Op, Greater>)
    return greater;
  else if constexpr (std::same_as<Op, GreaterEqual>)
    return greater_equal;
  else if constexpr (std::same_as<Op, Equal>)
    return equal;
  else if constexpr (std::same_as<Op, NotEqual>)
    return not_equal;
  else if constexpr (std::same_as<Op, And>)
    return logical_and;
  else if constexpr (std::same_as<Op, Or>)
    return logical_or;
  else if constexpr (std::same_as<Op, Not>)
    return logical_not;
  else if constexpr (std::same_as<Op, Where>)
    return algebra::where;
  else if constexpr (std::same_as<Op, Abs>)
    return abs;
  else if constexpr (std::same_as<Op, Cos> || std::same_as<Op, Cosh>)
    return even_function;
  else if constexpr (std::same_as<Op, Pow>)
    return power;
  else if constexpr (std::same_as<Op, Relu> || std::same_as<Op, Larger> || std::same_as<Op, Smaller>)
    return choice;
  else
    return none;
}

template <class Op>
constexpr int expand(builder& graph, const int* operands, int count);

template <class Op>
constexpr auto expansion() {
  if constexpr (tapeless::detail::Composite<Op>)
    return &expand<Op>;
  else
    return nullptr;
}

// The way back from the address of an operation's information, a value in a program, to the operation's type: the
// record of the operation defines the function that its key declares.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
#ifdef __NVCC__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1301
#endif
template <const operation_info* Info>
struct operation_key {
  friend constexpr auto operation_for(operation_key);
};
#ifdef __NVCC__
#pragma nv_diagnostic pop
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
template <class Op>
concept Has_pullback = requires { Op::pullback; };
template <class Op>
constexpr std::uint64_t passes_of() {
  std::uint64_t result = ~std::uint64_t{0};
  if constexpr (requires { Op::passes(0); })
    for (int i = 0; i < 64; ++i)
      if (!Op::passes(i)) result &= ~(std::uint64_t{1} << i);
  return result;
}
template <class Op>
constexpr int outputs_of() {
  if constexpr (requires { Op::outputs; })
    return Op::outputs;
  else
    return 0;
}
template <class Op>
constexpr int output_read_by() {
  if constexpr (requires { Op::output_read; })
    return Op::output_read;
  else
    return -1;
}
/// Of the type's name: two operations may print alike.
template <class Op>
constexpr std::uint64_t hash_of() {
  return tapeless::detail::hash(__PRETTY_FUNCTION__);
}
template <class Op>
struct operation_record {
  static constexpr operation_info information = {Op::name,
                                                 algebra_of<Op>(),
                                                 tapeless::detail::Condition<Op>,
                                                 tapeless::detail::Pair_valued<Op>,
                                                 hash_of<Op>(),
                                                 tapeless::detail::has_any_arity<Op>(),
                                                 tapeless::detail::Differentiable<Op>,
                                                 Has_pullback<Op>,
                                                 passes_of<Op>(),
                                                 std::same_as<Op, operation::Move>,
                                                 tapeless::detail::Tensor_operation<Op>,
                                                 tapeless::detail::Composite<Op>,
                                                 expansion<Op>(),
                                                 tapeless::detail::Sequence_valued<Op>,
                                                 outputs_of<Op>(),
                                                 output_read_by<Op>(),
                                                 tapeless::detail::Of_loops<Op>};

  friend constexpr auto operation_for(operation_key<&information>) { return std::type_identity<Op>{}; }
};

}  // namespace detail

/// The operation `Op` as a value.
template <class Op>
inline constexpr const operation_info& info = detail::operation_record<Op>::information;

/// The operation whose information stands at `Info`.
template <const operation_info* Info>
using operation_of = typename decltype(operation_for(detail::operation_key<Info>{}))::type;

}  // namespace tapeless::program

#endif
