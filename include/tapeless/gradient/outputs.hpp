#pragma once

#include <tapeless/core/expression.hpp>
#include <tapeless/core/no_result.hpp>
#include <tapeless/core/number.hpp>

#include <cstddef>
#include <tuple>

namespace tapeless {

/// Several formulas that are computed together and share subexpressions. Called with named values, it returns their
/// values as a `std::array`, or as a tuple if they are tensors of different ranks.
template <class... Fs>
struct output_list : called_with_values<output_list<Fs...>> {
  static constexpr std::size_t size = sizeof...(Fs);
  std::tuple<Fs...> formulas;

  constexpr explicit output_list(const Fs&... all) : formulas(all...) {}
};

/// `outputs(f1, f2)`: the outputs of a Jacobian or of a vector-Jacobian product, in this order.
template <class... Fs>
constexpr auto outputs(const Fs&... formulas) {
  constexpr bool valid = sizeof...(Fs) > 0 && (Operand<Fs> && ...);
  static_assert(valid, "tapeless: outputs takes one or more formulas: outputs(f1, f2) [TL056]");
  if constexpr (valid)
    return output_list<as_expression_t<Fs>...>(as_expression_t<Fs>(formulas)...);
  else
    return detail::no_result{};
}

template <class T>
inline constexpr bool is_outputs = detail::is_instance_of<output_list, T>;

}  // namespace tapeless
