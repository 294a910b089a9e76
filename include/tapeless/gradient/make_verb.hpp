#pragma once

#include <tapeless/core/bound_function.hpp>
#include <tapeless/core/freeze.hpp>
#include <tapeless/gradient/formula/formula_verb.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/options.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Where a verb and an operand are joined, as the options say.
namespace tapeless::detail {

/// What is wrong with a verb under its policy; `void` if nothing.
template <class F, class Variables, class Policy>
struct policy_problem {
  using type = void;
};
template <class F, class... Vs>
struct policy_problem<F, wrt_variables<Vs...>, unconnected::strict_policy> {
  using absent = decltype(first_problem(wrong_unless<contains<F, Vs>, fault::unconnected_variable_is_absent, Vs>{}...));
  using type = typename decltype(first_problem(
      absent{}, wrong_unless<depends_on<F, Vs>, fault::unconnected_variable_is_stopped, Vs>{}...))::type;
};

template <verb V, class F, class... Options>
constexpr auto make_verb(const F& f, const Options&... options);

template <class F, std::size_t... I>
constexpr auto positions(std::index_sequence<I...>) {
  return &wrt<I...>;
}

/// The verb `V` of a function with data: at each call that of the function, to which the data are handed as its last
/// arguments. It is by all arguments but the data, or by those that the options name.
template <verb V, class Bound, class... Options>
class bound_verb {
  Bound bound_;
  [[no_unique_address]] std::tuple<Options...> options_;

  template <std::size_t Arguments>
  TAPELESS_ALWAYS_INLINE constexpr auto of_function() const {
    using F = typename Bound::function_type;
    return std::apply(
        [](const auto&... options) {
          if constexpr ((is_positions<Options> || ...))
            return make_verb<V>(F{}, options...);
          else
            return make_verb<V>(F{}, positions<F>(std::make_index_sequence<Arguments>{}), options...);
        },
        options_);
  }

 public:
  constexpr explicit bound_verb(const Bound& bound, const Options&... options) : bound_(bound), options_(options...) {}

  template <class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Args&... args) const {
    return with_data<Args...>([&](const auto& of_all, const auto&... data)
                                  TAPELESS_INLINE_LAMBDA { return of_all(args..., data...); });
  }
  /// call(verb, data...), where the verb is called with `Args` before the data.
  template <class... Args, class Call>
  TAPELESS_ALWAYS_INLINE constexpr auto with_data(const Call& call) const {
    constexpr std::size_t arguments =
        (std::size_t{0} + ... + (is_instance_of<into_result, Args> || Execution_policy<Args> ? 0 : 1));
    return bound_.hand_over([&](const auto&... data)
                                TAPELESS_INLINE_LAMBDA { return call(of_function<arguments>(), data...); });
  }
};
template <class G>
inline constexpr bool is_bound_verb = false;
template <verb V, class Bound, class... Options>
inline constexpr bool is_bound_verb<bound_verb<V, Bound, Options...>> = true;

/// What stands for its value: formulas, and functions with data, which no verb takes for its data.
template <class G>
inline constexpr bool stands_for_value = has_names<G> || Function_with_data<G>;
/// What `make_verb` makes, of formulas also in a batch.
template <class G>
concept Verb_of_operand = Formula_verb<G> || Function_verb<G> || is_bound_verb<G>;

/// Joins the verb `V`, an operand and options; nothing if they do not fit, which the public function has reported.
template <verb V, class F, class... Options>
constexpr auto make_verb(const F& f, const Options&... options) {
  constexpr bool fits = takes_operand<V, F, Options...> && !is_reported<F, Options...>;
  constexpr bool known = !fits || (is_option_of<F, Options> && ...);
  static_assert(known,
                "tapeless: after wrt(...) only unconnected::structural, materialise or strict and stop_gradients(...) "
                "may follow [TL062]");
  constexpr bool named = !fits || (names_parts_of<F, Options> && ...);
  static_assert(named || !has_names<F>,
                "tapeless: stop_gradients names a formula that does not occur in this one; write the part exactly as "
                "it occurs: x * y is not y * x [TL017]");
  static_assert(named || has_names<F>,
                "tapeless: stop_gradients names parts of formulas; in a function write stop_gradient(x) [TL018]");
  if constexpr (fits && known && named && Function_with_data<F>) {
    // Its members could be symbols, and the object still be called.
    constexpr bool takes_symbols = !is_instance_of<std::tuple, typename shape_of<F>::traced_type>;
    static_assert(takes_symbols,
                  "tapeless: make a function object with members a class template over its number type, template "
                  "<class T> struct residual { T observed; ... }, or pass what it needs by bind_back(f, data...) "
                  "[TL101]");
    if constexpr (takes_symbols)
      return bound_verb<V, decltype(as_bound(f)), std::decay_t<Options>...>(as_bound(f), options...);
    else
      return no_result{};
  } else if constexpr (fits && known && named) {
    using wrt = chosen_wrt<Options...>;
    using policy = typename chosen_policy<unconnected::structural_policy, Options...>::type;
    const auto seeds = seeds_in(options...);
    using seeds_type = std::remove_const_t<decltype(seeds)>;
    if constexpr (has_names<F>) {
      const auto open = stopped<wrt>(f, options...);
      using formula = std::remove_const_t<decltype(open)>;
      // What a value or a directional derivative is by says the direction.
      using asked = std::conditional_t<V.what == derives::tangent, typename seeds_type::variables,
                                       std::conditional_t<V.what == derives::nothing, wrt_variables<>, wrt>>;
      using variables = typename std::conditional_t<std::is_void_v<asked>, all_variables<lowered<formula>>,
                                                    std::type_identity<asked>>::type;
      constexpr bool consistent =
          V.what != derives::tangent || std::is_void_v<wrt> || all_among<typename seeds_type::variables, wrt>;
      static_assert(consistent, "tapeless: a tangent is given for a variable that wrt(...) does not name [TL061]");
      using problem = typename policy_problem<formula, variables, policy>::type;
      static_assert(is_not<fault::unconnected_variable_is_absent, problem>,
                    "tapeless: the formula does not contain this variable (unconnected::strict) [TL063]");
      static_assert(is_not<fault::unconnected_variable_is_stopped, problem>,
                    "tapeless: every path from this variable goes through stop_gradient (unconnected::strict) [TL064]");
      if constexpr (std::is_void_v<problem>)
        return formula_verb<V, formula, variables, policy, seeds_type>(open, seeds);
      else
        return no_result{};
    } else {
      using positions = std::conditional_t<std::is_void_v<wrt>, std::index_sequence<>, wrt>;
      constexpr bool distinct = are_distinct_positions<positions>;
      static_assert(distinct, "tapeless: wrt<...> names an argument twice [TL277]");
      if constexpr (distinct)
        return function_verb<V, F, positions, policy, seeds_type>(seeds);
      else
        return no_result{};
    }
  } else {
    return no_result{};
  }
}

}  // namespace tapeless::detail
