#ifndef TAPELESS_INSPECT_COST_HPP
#define TAPELESS_INSPECT_COST_HPP

#include <tapeless/gradient/gradient.hpp>
#include <tapeless/gradient/hessian.hpp>
#include <tapeless/gradient/jacobian.hpp>

namespace tapeless {

/// How many operations of each kind an evaluation executes: of the program after sharing and folding, as it runs.
struct operation_counts {
  int additions = 0;  ///< sums and differences
  int multiplications = 0;
  int divisions = 0;
  int negations = 0;
  int comparisons = 0;  ///< comparisons and logical operations
  int selections = 0;   ///< where, max, min
  int functions = 0;    ///< exp, sin, pow, ...; sine and cosine of one operand count once

  constexpr int total() const {
    return additions + multiplications + divisions + negations + comparisons + selections + functions;
  }
  constexpr bool operator==(const operation_counts&) const = default;
};

namespace detail {

/// The finished program that a formula or the result of a verb evaluates.
template <class G>
struct program_of {
  using type = program::finished<lowered<G>, 0, 1>;
};
template <class F, class... Vs, bool WithValue, class Policy>
struct program_of<formula_gradient<F, wrt_variables<Vs...>, WithValue, Policy>> {
  using type = program::finished<typename gradient_program<lowered<F>, wrt_variables<Vs...>>::type, WithValue ? 0 : 1,
                                 1 + sizeof...(Vs)>;
};
template <class F, class... Vs>
struct program_of<formula_hessian<F, wrt_variables<Vs...>>> {
  using source = lowered<F>;
  using all =
      typename hessian_program<source, std::integer_sequence<int, variable_index(source::value, Vs::name)...>>::type;
  using type = program::finished<all, 1 + sizeof...(Vs), 1 + sizeof...(Vs) + triangle(sizeof...(Vs))>;
};
template <class Outputs, class... Vs, bool WithValue>
struct program_of<formula_jacobian<Outputs, wrt_variables<Vs...>, WithValue>> {
  using source = lowered<Outputs>;
  using all =
      typename jacobian_program<source, std::integer_sequence<int, variable_index(source::value, Vs::name)...>>::type;
  using type = program::finished<all, WithValue ? 0 : Outputs::size, Outputs::size + Outputs::size * sizeof...(Vs)>;
};

template <class Program>
constexpr operation_counts count_operations(const Program& p) {
  operation_counts counts;
  for (const program::node& n : p.nodes) {
    if (n.kind != program::node_kind::apply || n.count == 0) continue;
    const program::operation_info* op = n.operation;
    using program::algebra;
    if (n.condition)
      ++counts.comparisons;
    else if (n.algebra == algebra::add || n.algebra == algebra::subtract)
      ++counts.additions;
    else if (n.algebra == algebra::multiply)
      ++counts.multiplications;
    else if (n.algebra == algebra::divide)
      ++counts.divisions;
    else if (n.algebra == algebra::negate)
      ++counts.negations;
    else if (n.algebra == algebra::where || op == &program::info<operation::Larger> ||
             op == &program::info<operation::Smaller>)
      ++counts.selections;
    else if (op != &program::info<operation::First> && op != &program::info<operation::Second>)
      ++counts.functions;
  }
  return counts;
}

}  // namespace detail

/// The operations that `f(...)` executes, or, of a verb's result such as `gradient(f)`, that it executes.
template <class G>
constexpr operation_counts cost(const G&) {
  return detail::count_operations(detail::program_of<G>::type::value);
}

}  // namespace tapeless

#endif
