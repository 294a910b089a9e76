#ifndef TAPELESS_GRADIENT_EVALUATE_HPP
#define TAPELESS_GRADIENT_EVALUATE_HPP

#include <tapeless/gradient/arguments.hpp>

#include <type_traits>

namespace tapeless {

namespace detail {

// A formula that is a leaf, stopped or named, has the value of the leaf in its own type: an int stays an int.
template <class E>
struct leaf_of {
  using type = void;
};
template <class E>
  requires requires { typename E::definition; }
struct leaf_of<E> : leaf_of<typename E::definition> {};
template <fixed_string Name>
struct leaf_of<Variable<Name>> {
  using type = Variable<Name>;
};
template <class T>
struct leaf_of<Number<T>> {
  using type = Number<T>;
};
template <class E, fixed_string Name>
struct leaf_of<StopGradient<E, Name>> : leaf_of<E> {};

template <class E>
constexpr auto number_of(const E& e) {
  if constexpr (is_stop<E>)
    return number_of(e.operand);
  else
    return e.value;
}

// The numbers a formula carries decide the type only where no variable does.
template <class F>
struct numbers_real : common_real<> {};
template <class T>
struct numbers_real<Number<T>> : common_real<T> {};
template <class E, fixed_string Name>
struct numbers_real<StopGradient<E, Name>> : numbers_real<E> {};
template <class... Fs>
struct numbers_real<output_list<Fs...>> : common_real<typename numbers_real<Fs>::type...> {};
template <class Op, class... Es>
struct numbers_real<Apply<Op, Es...>> : common_real<typename numbers_real<Es>::type...> {};

/// The number type of a formula's evaluation: the common type of its variables' real values.
template <class F, class... Bindings>
struct evaluation_type : common_real<typename Bindings::value_type...> {};
template <class F>
struct evaluation_type<F> : numbers_real<F> {};
template <class F, class... Bindings>
using evaluation_type_t = typename evaluation_type<F, Bindings...>::type;

/// Evaluation over tensors: tensor.hpp.
template <class F>
struct tensor_evaluation;

/// Evaluates outputs `Begin` to `End` of the program `All`, made from the program `Source` of the formula `f`.
template <class T, class Source, class All, std::size_t Begin, std::size_t End, class F, class... Bindings>
TAPELESS_ALWAYS_INLINE constexpr auto evaluate_outputs(const F& f, const Bindings&... bindings) {
  using variables = typename all_variables<Source>::type;
  return scalar::evaluation<program::finished<All, Begin, End>, T>(
      bound_inputs<T, Source, variables, Bindings...>(f, bindings...));
}

}  // namespace detail

/// The value of a formula: `evaluate(f, x = 1.0)` is `f(x = 1.0)`. It is computed in the common type of the real
/// values given, double if there is none; a formula that is a stopped or named leaf keeps the leaf's type. Straight
/// line code, no allocation; in constant evaluation where the values are constants.
template <Expression F, class... Bindings>
TAPELESS_ALWAYS_INLINE constexpr auto evaluate(const F& f, const Bindings&... bindings) {
  using source = detail::lowered<F>;
  using problem = detail::call_problem_t<source, wrt_variables<>, Bindings...>;
  if constexpr (!std::is_void_v<problem>)
    return detail::report<problem>();
  else if constexpr ((detail::is_tensor_argument<Bindings> || ...))
    return detail::tensor_evaluation<F>::run(f, bindings...);
  else {
    using leaf = typename detail::leaf_of<F>::type;
    if constexpr (is_variable<leaf>) {
      const auto value = [](const auto& binding) { return binding.value; };
      return value(bindings...);
    } else if constexpr (!std::is_void_v<leaf>) {
      return detail::number_of(f);
    } else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      const auto done = detail::evaluate_outputs<T, source, source, 0, 1>(f, bindings...);
      return done.template output<0>();
    }
  }
}

}  // namespace tapeless

#endif
