#ifndef TAPELESS_GRADIENT_FORMULA_ARGUMENTS_HPP
#define TAPELESS_GRADIENT_FORMULA_ARGUMENTS_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/apply.hpp>
#include <tapeless/core/constant.hpp>
#include <tapeless/core/named.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/core/number.hpp>
#include <tapeless/core/stop_gradient.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/core/variable.hpp>
#include <tapeless/evaluate/scalar.hpp>
#include <tapeless/evaluate/traced.hpp>
#include <tapeless/gradient/into.hpp>
#include <tapeless/gradient/outputs.hpp>
#include <tapeless/gradient/tensor/tensor_problems.hpp>
#include <tapeless/gradient/verb.hpp>
#include <tapeless/gradient/wrt.hpp>
#include <tapeless/program/pass.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

/// What may be wrong with a call, each mistake a type that names the variable or the operation: compilers write it
/// into the message. The static_assert that reports it stands in the public function itself, and what is wrong is
/// computed nowhere else, so that the message is the only one and short.
namespace error {

/// An error that has its message already.
template <class T>
struct reported;
template <class T>
struct argument_is_no_binding;
template <class T>
struct argument_is_formula;
template <class V>
struct variable_bound_to_formula;
template <class F>
struct formula_shares_too_much;
template <class V>
struct variable_bound_twice;
template <class V>
struct variable_not_in_formula;
template <class V>
struct tangent_not_in_formula;
template <class V>
struct derivative_by_integer;
template <class V>
struct variable_without_value;
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
template <class Variables>
struct elements_are_no_tensors;
template <class G>
struct call_not_over_tensors;

}  // namespace error

namespace detail {

/// Inside a traced function a computation with one of its arguments is recorded.
template <class... Ts>
constexpr auto common_number() {
  if constexpr ((is_traced<Ts> || ...))
    return std::type_identity<traced>{};
  else
    return std::type_identity<typename common_real<Ts...>::type>{};
}
template <class... Ts>
using common_real_t = typename decltype(common_number<Ts...>())::type;

template <class F>
struct lowering_of {
  using type = program::frozen<program::lower_formulas<F>>;
};
template <class... Fs>
struct lowering_of<output_list<Fs...>> {
  using type = program::frozen<program::lower_formulas<Fs...>>;
};
/// The program of the values of a formula or of several.
template <class F>
using lowered = typename lowering_of<F>::type;

/// The index of a variable in a program; -1 if the program does not have it.
template <class Program>
constexpr int variable_index(const Program& p, std::string_view name) {
  for (std::size_t i = 0; i < p.variables.size(); ++i)
    if (p.variables[i] == name) return static_cast<int>(i);
  return -1;
}

template <class Source, std::size_t I>
using variable_at = Variable<fixed_string<Source::value.variables[I].size() + 1>(Source::value.variables[I])>;

/// The variables of a lowered formula, in order of first appearance.
template <class Source>
constexpr std::size_t count_variables() {
  if constexpr (program::problem_of<Source> == program::fault::none)
    return Source::value.variables.size();
  else
    return 0;
}
template <class Source, class = std::make_index_sequence<count_variables<Source>()>>
struct all_variables;
template <class Source, std::size_t... I>
struct all_variables<Source, std::index_sequence<I...>> {
  using type = wrt_variables<variable_at<Source, I>...>;
};

template <class V, class... Vs>
inline constexpr bool is_one_of = (std::same_as<V, Vs> || ...);

/// Whether a value of a call is a tensor.
template <class T>
inline constexpr bool is_tensor_argument = false;
template <class V, class T>
inline constexpr bool is_tensor_argument<binding<V, T>> = is_bound_tensor<T>;
template <class T>
inline constexpr bool is_integer = std::numeric_limits<T>::is_integer;
template <class T>
  requires is_bound_tensor<T>
inline constexpr bool is_integer<T> = std::numeric_limits<typename T::tensor_type::value_type>::is_integer;
/// Whether `Problem` is not `Mistake`: the condition of the static_assert that reports it.
template <template <class> class Mistake, class Problem>
inline constexpr bool is_not = true;
template <template <class> class Mistake, class T>
inline constexpr bool is_not<Mistake, Mistake<T>> = false;
/// What is wrong with tensors that are bound in a call of `G`, `void` if nothing: tensor_formula.hpp.
inline namespace TAPELESS_TARGET {
template <class G, class... Bindings>
struct tensor_call_problem;
}

/// What is wrong with one of the values of a call; `void` if nothing.
template <class B>
constexpr auto argument_problem() {
  if constexpr (is_reported<B>)
    return std::type_identity<error::reported<B>>{};
  else if constexpr (Expression<B>)
    return std::type_identity<error::argument_is_formula<B>>{};
  else if constexpr (!is_binding<B>)
    return std::type_identity<error::argument_is_no_binding<B>>{};
  else if constexpr (!Numeric<typename B::value_type> && !is_bound_tensor<typename B::value_type> &&
                     !is_traced<typename B::value_type> && !is_constant<typename B::value_type>)
    return std::type_identity<error::variable_bound_to_formula<typename B::variable_type>>{};
  else
    return std::type_identity<void>{};
}
template <class B, class... Bindings, class... Vs, class... Us>
constexpr auto binding_problem(wrt_variables<Vs...> /*requested*/, wrt_variables<Us...> /*formula*/) {
  using V = typename B::variable_type;
  if constexpr ((0 + ... + std::same_as<V, typename Bindings::variable_type>) > 1)
    return std::type_identity<error::variable_bound_twice<V>>{};
  else if constexpr (!is_one_of<V, Us...> && !is_one_of<V, Vs...>)
    return std::type_identity<error::variable_not_in_formula<V>>{};
  else if constexpr (is_one_of<V, Vs...> && is_integer<typename B::value_type>)
    return std::type_identity<error::derivative_by_integer<V>>{};
  else
    return std::type_identity<void>{};
}
template <class V, class... Bindings>
constexpr auto variable_problem() {
  if constexpr ((std::same_as<V, typename Bindings::variable_type> || ... || false))
    return std::type_identity<void>{};
  else
    return std::type_identity<error::variable_without_value<V>>{};
}

/// The first problem there is.
constexpr auto first_problem() { return std::type_identity<void>{}; }
template <class Problem, class... Problems>
constexpr auto first_problem(std::type_identity<Problem>, Problems... problems) {
  if constexpr (std::is_void_v<Problem>)
    return first_problem(problems...);
  else
    return std::type_identity<Problem>{};
}

/// What is wrong with the values of a call of a program with the variables `Us`, differentiated by `Vs`.
template <class... Bindings, class... Vs, class... Us>
constexpr auto bindings_problem([[maybe_unused]] wrt_variables<Vs...> requested,
                                [[maybe_unused]] wrt_variables<Us...> formula) {
  return first_problem(binding_problem<Bindings, Bindings...>(requested, formula)...,
                       variable_problem<Us, Bindings...>()...);
}

template <class D, class... Us>
constexpr auto absent_problem() {
  if constexpr (is_one_of<D, Us...>)
    return std::type_identity<void>{};
  else
    return std::type_identity<error::tangent_not_in_formula<D>>{};
}
/// What is wrong with the variables that a verb takes tangents for.
template <class... Ds, class... Us>
constexpr auto directions_problem(wrt_variables<Ds...> variables, wrt_variables<Us...>) {
  using bindings =
      decltype(first_problem(binding_problem<binding<Ds, double>, binding<Ds, double>...>(variables, variables)...));
  if constexpr (!std::is_void_v<typename bindings::type>)
    return bindings{};
  else
    return first_problem(absent_problem<Ds, Us...>()...);
}
template <class G, class Variables>
constexpr auto directions_problem() {
  if constexpr (requires { typename G::directions; })
    return directions_problem(typename G::directions{}, Variables{});
  else
    return first_problem();
}

template <class Source>
inline constexpr bool shares_too_much = false;
template <class... Fs>
inline constexpr bool shares_too_much<program::frozen<program::lower_formulas<Fs...>>> =
    is_one_of<error::formula_too_large, Fs...>;

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

/// The indices of variables in a lowered formula.
template <class Source, class Variables>
struct indices_in;
template <class Source, class... Vs>
struct indices_in<Source, wrt_variables<Vs...>> {
  using type = std::integer_sequence<int, variable_index(Source::value, Vs::name)...>;
};
template <class Source, class Variables>
using indices_in_t = typename indices_in<Source, Variables>::type;

template <class Source>
inline constexpr bool takes_tensors = [] {
  for (const program::node& each : Source::value.nodes)
    if (each.kind == program::node_kind::apply && each.operation->of_tensors) return true;
  return false;
}();

/// Whether a variable of `G` may be bound to a tensor.
template <class G>
inline constexpr bool runs_over_tensors = requires { requires G::over_tensors; };

/// What is wrong with a call of `G`, which names its program (`source`), the variables it differentiates by
/// (`requested`) and the program it evaluates (`evaluated`). Each check rests on those before it.
template <class G, class... Bindings>
constexpr auto call_problem() {
  using source = typename G::source;
  using requested = typename G::requested;
  using arguments = decltype(first_problem(argument_problem<Bindings>()...));
  if constexpr (!std::is_void_v<typename arguments::type>)
    return arguments{};
  else if constexpr (shares_too_much<source>)
    return std::type_identity<error::formula_shares_too_much<requested>>{};
  else if constexpr (program::problem_of<source> != program::fault::none)
    return size_problem<source>();
  else {
    using variables = typename all_variables<source>::type;
    using bindings = decltype(first_problem(directions_problem<G, variables>(),
                                            bindings_problem<Bindings...>(requested{}, variables{})));
    using rule = decltype(rule_problem<source, direction_of<G>>(indices_in_t<source, requested>{}));
    if constexpr (!std::is_void_v<typename bindings::type>)
      return bindings{};
    else if constexpr ((is_tensor_argument<Bindings> || ...) && !runs_over_tensors<G>)
      return std::type_identity<error::call_not_over_tensors<G>>{};
    else if constexpr (takes_tensors<source> && requires { G::of_elements; })
      return std::type_identity<error::elements_are_no_tensors<requested>>{};
    else if constexpr (takes_tensors<source> && !(is_tensor_argument<Bindings> || ...))
      return std::type_identity<error::tensors_do_not_fit<program::tensor_problem::no_tensor_bound>>{};
    else if constexpr (!std::is_void_v<typename rule::type>)
      return rule{};
    else if constexpr ((is_tensor_argument<Bindings> || ...) && !requires { G::of_elements; })
      return std::type_identity<typename tensor_call_problem<G, Bindings...>::type>{};
    else
      return size_problem<typename G::template evaluated<source>>();
  }
}

/// Formulas as what is called.
template <class F>
struct value_of {
  static constexpr verb does = value_verb;
  static constexpr bool over_tensors = true;
  using formula = F;
  using source = lowered<F>;
  using requested = wrt_variables<>;
  template <class Source>
  using evaluated = program::finished<Source, 0, Source::value.outputs.size()>;
};
template <class G>
using called = std::conditional_t<Expression<G> || is_outputs<G>, value_of<G>, G>;

/// What keeps `G` from being called with these values, `void` if nothing.
template <class G, class... Bindings>
using call_problem_t = typename decltype(call_problem<called<G>, Bindings...>())::type;

// The run-time numbers of a formula, in the order of its lowering.
template <class T, class Op, class... Es>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Apply<Op, Es...>& e, T*& to);
template <class T, class N>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Number<N>& e, T*& to) {
  *to++ = static_cast<T>(e.value);
}
template <class T, class E, TAPELESS_NAME Name>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const StopGradient<E, Name>& e, T*& to) {
  if constexpr (!std::is_empty_v<E>) numbers_of(e.operand, to);
}
template <class T, class Op, class... Es>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const Apply<Op, Es...>& e, T*& to) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto visit = [&](const auto& operand) {
      if constexpr (!std::is_empty_v<std::remove_cvref_t<decltype(operand)>>) numbers_of(operand, to);
    };
    (visit(e.template operand<I>()), ...);
  }(std::index_sequence_for<Es...>{});
}

template <class T, class... Fs>
TAPELESS_ALWAYS_INLINE constexpr void numbers_of(const output_list<Fs...>& e, T*& to) {
  const auto visit = [&](const auto& wrapped) {
    if constexpr (!std::is_empty_v<std::remove_cvref_t<decltype(wrapped)>>) numbers_of(wrapped, to);
  };
  std::apply([&](const auto&... wrapped) { (visit(wrapped), ...); }, e.formulas);
}

/// What a formula is evaluated with: the values bound to its variables and the numbers it carries.
template <class T, class Source, class Variables, class... Bindings>
class bound_inputs;
template <class T, class Source, class... Us, class... Bindings>
class bound_inputs<T, Source, wrt_variables<Us...>, Bindings...> {
  std::tuple<const Bindings&...> bindings_;
  std::array<T, static_cast<std::size_t>(Source::value.numbers)> numbers_{};

 public:
  template <class F>
  TAPELESS_ALWAYS_INLINE constexpr explicit bound_inputs(const F& wrapped, const Bindings&... bindings)
      : bindings_(bindings...) {
    if constexpr (Source::value.numbers > 0) {
      T* to = numbers_.data();
      numbers_of(wrapped, to);
    }
  }

  constexpr const auto& numbers() const { return numbers_; }

  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T variable() const {
    using V = typename type_at<static_cast<std::size_t>(I), Us...>::type;
    constexpr std::size_t position = [] {
      std::size_t index = 0;
      static_cast<void>(((std::same_as<V, typename Bindings::variable_type> ? true : (++index, false)) || ...));
      return index;
    }();
    return immediate<T>(std::get<position>(bindings_).value);
  }
  template <int I>
  TAPELESS_ALWAYS_INLINE constexpr T number() const {
    return numbers_[static_cast<std::size_t>(I)];
  }
};

}  // namespace detail

}  // namespace tapeless

#endif
