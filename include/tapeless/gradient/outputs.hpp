#ifndef TAPELESS_GRADIENT_OUTPUTS_HPP
#define TAPELESS_GRADIENT_OUTPUTS_HPP

#include <tapeless/core/expression.hpp>
#include <tapeless/core/number.hpp>

#include <cstddef>
#include <tuple>

namespace tapeless {

/// Several formulas that are computed together and share their work.
template <class... Fs>
struct output_list {
  static constexpr std::size_t size = sizeof...(Fs);
  std::tuple<Fs...> formulas;
};

/// `outputs(f1, f2)`: the outputs of a Jacobian or of a pullback, in this order.
template <Operand... Fs>
constexpr output_list<as_expression_t<Fs>...> outputs(const Fs&... formulas) {
  return {{as_expression_t<Fs>(formulas)...}};
}

}  // namespace tapeless

#endif
