#ifndef TAPELESS_GRADIENT_HESSIAN_HPP
#define TAPELESS_GRADIENT_HESSIAN_HPP

#include <tapeless/gradient/gradient.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// Outputs: the value, the gradient, the upper triangle of the Hessian.
template <class Source, int... Variables>
using hessian_program = program::finished<
    program::frozen<
        program::append_hessian<program::frozen<program::append_gradient<Source, Variables...>>, Variables...>>,
    1 + sizeof...(Variables), 1 + sizeof...(Variables) + sizeof...(Variables) * (sizeof...(Variables) + 1) / 2>;

}  // namespace detail

/// The Hessian of a formula as a function of its variables' values; made by `hessian`.
template <class F, class Variables>
class formula_hessian;
template <class F, class... Vs>
class formula_hessian<F, wrt_variables<Vs...>> {
 public:
  constexpr explicit formula_hessian(const F& formula) : f_(formula) {}

  template <class... Bindings>
  constexpr auto operator()(const Bindings&... bindings) const {
    using requested = wrt_variables<Vs...>;
    using source = detail::lowered<F>;
    using variables = typename detail::all_variables<source>::type;
    if constexpr (detail::check_bindings<Bindings...>(requested{}, variables{})) {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using program = detail::hessian_program<source, detail::variable_index(source::value, Vs::name)...>;
      return scalar::run<program, T>(detail::bound_values<T>(variables{}, bindings...),
                                     detail::numbers_in<T, source>(f_), [](const auto&... entries) {
                                       return hessian_map<requested, T>{{static_cast<T>(entries)...}};
                                     });
    }
  }

 private:
  [[no_unique_address]] F f_;
};

/// The Hessian of a traced function as a function of its arguments; made by `hessian`.
template <class F>
class function_hessian {
 public:
  template <class... Args>
  constexpr auto operator()(const Args&... args) const {
    if constexpr (detail::check_function<F, Args...>()) {
      using T = detail::function_real_t<Args...>;
      using source = detail::traced_program<F, Args...>;
      static_assert(source::value.outputs.size() == 1, "tapeless: a Hessian is that of one number");
      constexpr std::size_t n = source::value.variables.size();
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        using program = detail::hessian_program<source, static_cast<int>(I)...>;
        return scalar::run<program, T>(detail::flatten<T>(args...), std::array<T, 0>{}, [](const auto&... entries) {
          const std::array<T, sizeof...(entries)> upper{static_cast<T>(entries)...};
          std::array<std::array<T, n>, n> result;
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i; j < n; ++j) result[i][j] = result[j][i] = upper[j * (j + 1) / 2 + i];
          return result;
        });
      }(std::make_index_sequence<n>{});
    }
  }
};

/// The Hessian of a formula: `hessian(f, wrt(x, y))(x = 1.0, y = 2.0)` gives `h` with `h(x, y)`, symmetric. Each pair
/// of variables is computed once: forward differentiation of the gradient, stops and selections as in the gradient.
template <Expression F, class... Vs>
constexpr auto hessian(const F& f, wrt_variables<Vs...>) {
  return formula_hessian<F, wrt_variables<Vs...>>(f);
}
template <Expression F>
constexpr auto hessian(const F& f) {
  return hessian(f, typename detail::formula_variables<F>::type{});
}

/// The Hessian of a function as `std::array<std::array<T, n>, n>`; n counts the arguments' numbers in their order.
template <Function F>
constexpr auto hessian(const F&) {
  return function_hessian<F>{};
}

}  // namespace tapeless

#endif
