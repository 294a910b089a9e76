#ifndef TAPELESS_GRADIENT_HESSIAN_HPP
#define TAPELESS_GRADIENT_HESSIAN_HPP

#include <tapeless/gradient/gradient.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// Outputs: the value, the gradient, the upper triangle of the Hessian, column by column.
template <class Source, class Variables>
struct hessian_program;
template <class Source, int... Variables>
struct hessian_program<Source, std::integer_sequence<int, Variables...>> {
  using type = program::frozen<
      program::append_hessian<program::frozen<program::append_gradient<Source, Variables...>>, Variables...>>;
};

constexpr std::size_t triangle(std::size_t n) { return n * (n + 1) / 2; }

}  // namespace detail

/// The Hessian of a formula as a function of its variables' values; made by `hessian`.
template <class F, class Variables>
class formula_hessian;
template <class F, class... Vs>
class formula_hessian<F, wrt_variables<Vs...>> {
 public:
  constexpr explicit formula_hessian(const F& wrapped) : f_(wrapped) {}

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto operator()(const Bindings&... bindings) const {
    using requested = wrt_variables<Vs...>;
    using source = detail::lowered<F>;
    using problem = detail::call_problem_t<source, requested, Bindings...>;
    if constexpr (!std::is_void_v<problem>)
      return detail::report<problem>();
    else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using all = typename detail::hessian_program<
          source, std::integer_sequence<int, detail::variable_index(source::value, Vs::name)...>>::type;
      constexpr std::size_t first = 1 + sizeof...(Vs), entries = detail::triangle(sizeof...(Vs));
      const auto done = detail::evaluate_outputs<T, source, all, first, first + entries>(f_, bindings...);
      return hessian_map<requested, T>{detail::shape_of<std::array<T, entries>>::template read<T, 0>(done)};
    }
  }

 private:
  [[no_unique_address]] F f_;
};

/// The Hessian of a traced function as a function of its arguments; made by `hessian`.
template <class F>
class function_hessian : public detail::function_verb<function_hessian<F>, F> {
  friend detail::function_verb<function_hessian<F>, F>;

  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    using T = detail::function_real_t<Args...>;
    using source = detail::traced_program<F, Args...>;
    static_assert(source::value.outputs.size() == 1, "tapeless: a Hessian is that of one number");
    constexpr std::size_t n = source::value.variables.size(), entries = detail::triangle(n);
    using all = typename detail::hessian_program<source, std::make_integer_sequence<int, n>>::type;
    const scalar::evaluation<program::finished<all, 1 + n, 1 + n + entries>, T> done(
        detail::function_inputs<T, Args...>{args...});
    const auto upper = detail::shape_of<std::array<T, entries>>::template read<T, 0>(done);
    std::array<std::array<T, n>, n> result{};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j) result[i][j] = result[j][i] = upper[detail::triangle(j) + i];
    return result;
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
