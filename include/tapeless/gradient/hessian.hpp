#ifndef TAPELESS_GRADIENT_HESSIAN_HPP
#define TAPELESS_GRADIENT_HESSIAN_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/target.hpp>
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

/// The same over tensors: tensor_hessian.hpp.
inline namespace TAPELESS_TARGET {
template <class F, class Variables>
struct tensor_hessian;
}

constexpr std::size_t triangle(std::size_t n) { return n * (n + 1) / 2; }

}  // namespace detail

/// The Hessian of a formula as a function of its variables' values; made by `hessian`.
template <class F, class Variables>
class formula_hessian;
template <class F, class... Vs>
class formula_hessian<F, wrt_variables<Vs...>> : public called_with_values<formula_hessian<F, wrt_variables<Vs...>>> {
  static constexpr std::size_t first = 1 + sizeof...(Vs), entries = detail::triangle(sizeof...(Vs));

 public:
  using source = detail::lowered<F>;
  using requested = wrt_variables<Vs...>;
  static constexpr bool of_one_number = true;
  template <class Source>
  using evaluated =
      program::finished<typename detail::hessian_program<Source, detail::indices_in_t<Source, requested>>::type, first,
                        first + entries>;

  constexpr explicit formula_hessian(const F& wrapped) : f_(wrapped) {}

 private:
  friend called_with_values<formula_hessian>;
  [[no_unique_address]] F f_;

  template <class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Bindings&... bindings) const {
    if constexpr ((detail::is_tensor_argument<Bindings> || ...)) {
      return detail::tensor_hessian<F, requested>::run(f_, bindings...);
    } else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      const auto done = detail::evaluate_program<T, source, evaluated<source>>(f_, bindings...);
      return hessian_map<requested, T>{detail::shape_of<std::array<T, entries>>::template read<T, 0>(done)};
    }
  }
};

/// The Hessian of a traced function as a function of its arguments; made by `hessian`.
template <class F, std::size_t... Positions>
class function_hessian : public detail::function_verb<function_hessian<F, Positions...>, F, Positions...> {
  friend detail::function_verb<function_hessian<F, Positions...>, F, Positions...>;

 public:
  static constexpr bool one_output = true;
  template <class Source, class Variables>
  using evaluated = program::finished<typename detail::hessian_program<Source, Variables>::type, 1 + Variables::size(),
                                      1 + Variables::size() + detail::triangle(Variables::size())>;

 private:
  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    using T = detail::function_real_t<Args...>;
    using variables = typename detail::argument_layout<Args...>::template variables<P...>;
    constexpr std::size_t n = variables::size(), entries = detail::triangle(n);
    const scalar::evaluation<evaluated<detail::traced_program<F, Args...>, variables>, T> done(
        detail::function_inputs<T, Args...>{args...});
    const auto upper = detail::shape_of<std::array<T, entries>>::template read<T, 0>(done);
    std::array<std::array<T, n>, n> result{};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j) result[i][j] = result[j][i] = upper[detail::triangle(j) + i];
    return result;
  }
};

namespace detail {

template <class F, std::size_t... I>
constexpr auto function_hessian_of(wrt_positions<I...>) {
  return function_hessian<F, I...>{};
}

}  // namespace detail

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

/// The Hessian of a function as `std::array<std::array<T, n>, n>`; n counts the numbers of the arguments in their
/// order, of a struct those of its members, or of the arguments named by position: `hessian(f, wrt<0>)`.
template <Function F>
constexpr auto hessian(const F&) {
  return function_hessian<F>{};
}
template <Function F, Position_list Wrt>
constexpr auto hessian(const F&, Wrt) {
  return detail::function_hessian_of<F>(std::invoke_result_t<Wrt>{});
}
template <class... Ts>
constexpr auto hessian(const Ts&...) {
  static_assert(
      detail::is_reported<Ts...>,
      "tapeless: hessian takes a formula and variables, hessian(f, wrt(x, y)), or a lambda or another function "
      "object, hessian([](auto a) { return a * a; }); outputs(...) have a jacobian");
  return detail::no_result{};
}

}  // namespace tapeless

#endif
