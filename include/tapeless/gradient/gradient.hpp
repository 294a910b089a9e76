#ifndef TAPELESS_GRADIENT_GRADIENT_HPP
#define TAPELESS_GRADIENT_GRADIENT_HPP

#include <tapeless/gradient/evaluate.hpp>
#include <tapeless/gradient/function.hpp>
#include <tapeless/gradient/result.hpp>
#include <tapeless/gradient/wrt.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// The program with output 0, the value, and a further output a requested variable.
template <class Source, class Variables>
struct gradient_program;
template <class Source, class... Vs>
struct gradient_program<Source, wrt_variables<Vs...>> {
  using type = program::frozen<program::append_gradient<Source, variable_index(Source::value, Vs::name)...>>;
};
template <class Source, std::size_t... I>
struct gradient_program<Source, std::index_sequence<I...>> {
  using type = program::frozen<program::append_gradient<Source, static_cast<int>(I)...>>;
};

template <class F>
struct formula_variables {
  using type = typename all_variables<lowered<F>>::type;
};

}  // namespace detail

/// The gradient of a formula as a function of its variables' values; made by `gradient` and `value_and_gradient`.
template <class F, class Variables, bool WithValue>
class formula_gradient;
template <class F, class... Vs, bool WithValue>
class formula_gradient<F, wrt_variables<Vs...>, WithValue> {
 public:
  constexpr explicit formula_gradient(const F& formula) : f_(formula) {}

  template <class... Bindings>
  constexpr auto operator()(const Bindings&... bindings) const {
    using requested = wrt_variables<Vs...>;
    using source = detail::lowered<F>;
    using variables = typename detail::all_variables<source>::type;
    if constexpr (detail::check_bindings<Bindings...>(requested{}, variables{})) {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using all = typename detail::gradient_program<source, requested>::type;
      using program = program::finished<all, WithValue ? 0 : 1, sizeof...(Vs) + 1>;
      return scalar::run<program, T>(
          detail::bound_values<T>(variables{}, bindings...), detail::numbers_in<T, source>(f_),
          [](const auto&... outputs) { return result<program>(std::index_sequence_for<Vs...>{}, outputs...); });
    }
  }

 private:
  [[no_unique_address]] F f_;

  template <class P, std::size_t... I, class... Outputs>
  static constexpr auto result(std::index_sequence<I...>, const Outputs&... outputs) {
    const std::tuple<const Outputs&...> all(outputs...);
    constexpr std::size_t first = WithValue ? 1 : 0;
    using gradient_type =
        gradient_map<wrt_variables<Vs...>, decltype(detail::result_of<P, I + first>(std::get<I + first>(all)))...>;
    const gradient_type gradient(detail::result_of<P, I + first>(std::get<I + first>(all))...);
    if constexpr (WithValue)
      return value_and_gradient_result{std::get<0>(all), gradient};
    else
      return gradient;
  }
};

/// The gradient of a traced function as a function of its arguments; made by `gradient` and `value_and_gradient`.
/// `Positions` are the arguments whose gradient is asked for; all if there are none.
template <class F, bool WithValue, std::size_t... Positions>
class function_gradient {
 public:
  template <class... Args>
  constexpr auto operator()(const Args&... args) const {
    if constexpr (detail::check_function<F, Args...>()) {
      if constexpr (sizeof...(Positions) == 0)
        return run(std::index_sequence_for<Args...>{}, args...);
      else
        return run(std::index_sequence<Positions...>{}, args...);
    }
  }

 private:
  template <std::size_t... P, class... Args>
  static constexpr auto run(std::index_sequence<P...>, const Args&... args) {
    using T = detail::function_real_t<Args...>;
    using source = detail::traced_program<F, Args...>;
    static_assert(source::value.outputs.size() == 1,
                  "tapeless: a gradient is that of one number; for a function that returns an array use jacobian");
    using all_arguments = std::tuple<Args...>;
    constexpr auto variables = flattened<all_arguments, P...>();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using all = program::frozen<program::append_gradient<source, variables[I]...>>;
      using program = program::finished<all, WithValue ? 0 : 1, sizeof...(I) + 1>;
      return scalar::run<program, T>(detail::flatten<T>(args...), std::array<T, 0>{}, [](const auto&... outputs) {
        const std::array<T, sizeof...(outputs)> numbers{static_cast<T>(outputs)...};
        const T* from = numbers.data() + (WithValue ? 1 : 0);
        const auto gradient = shaped<all_arguments, P...>(from);
        if constexpr (WithValue)
          return value_and_gradient_result{numbers[0], gradient};
        else
          return gradient;
      });
    }(std::make_index_sequence<variables.size()>{});
  }

  template <class Tuple, std::size_t P>
  using shape_at = detail::shape_of<std::tuple_element_t<P, Tuple>>;

  template <class Tuple, std::size_t... P>
  static constexpr auto flattened() {
    constexpr auto first = []<std::size_t... Before>(std::index_sequence<Before...>) {
      return (shape_at<Tuple, Before>::size + ... + 0);
    };
    std::array<int, (shape_at<Tuple, P>::size + ... + 0)> result{};
    std::size_t next = 0;
    const auto append = [&](std::size_t begin, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i) result[next++] = static_cast<int>(begin + i);
    };
    (append(first(std::make_index_sequence<P>{}), shape_at<Tuple, P>::size), ...);
    return result;
  }

  template <class Tuple, std::size_t... P, class T>
  static constexpr auto shaped(const T* from) {
    if constexpr (sizeof...(P) == 1)
      return (shape_at<Tuple, P>::read(from), ...);
    else
      return std::tuple{shape_at<Tuple, P>::read(from)...};
  }
};

namespace detail {

template <class F, bool WithValue, std::size_t... I>
constexpr auto function_gradient_of(wrt_positions<I...>) {
  return function_gradient<F, WithValue, I...>{};
}

}  // namespace detail

/// The gradient of a formula: `gradient(f, wrt(x, y))(x = 1.0, y = 2.0)` gives `g` with `g[x]`, `g[y]`; without `wrt`,
/// that with respect to all variables. What is stopped or absent is `Zero`. Cost: one forward and one reverse sweep,
/// as straight-line code; the value is not kept where no derivative needs it.
template <Expression F, class... Vs>
constexpr auto gradient(const F& f, wrt_variables<Vs...>) {
  return formula_gradient<F, wrt_variables<Vs...>, false>(f);
}
template <Expression F>
constexpr auto gradient(const F& f) {
  return gradient(f, typename detail::formula_variables<F>::type{});
}

/// The gradient of a function: `gradient([](auto x, auto y) { return x * sin(y); })(1.0, 2.0)` gives the partial
/// derivatives in the order of the arguments: a tuple, or for one argument the partial itself; that of a `std::array`
/// is a `std::array`. `gradient(f, wrt<0, 2>)` takes arguments by position.
template <Function F>
constexpr auto gradient(const F&) {
  return function_gradient<F, false>{};
}
template <Function F, class Wrt>
constexpr auto gradient(const F&, Wrt) {
  return detail::function_gradient_of<F, false>(positions_t<Wrt>{});
}

/// Value and gradient, sharing their work: the result has `.value` and `.gradient` (as `gradient` gives it).
template <Expression F, class... Vs>
constexpr auto value_and_gradient(const F& f, wrt_variables<Vs...>) {
  return formula_gradient<F, wrt_variables<Vs...>, true>(f);
}
template <Expression F>
constexpr auto value_and_gradient(const F& f) {
  return value_and_gradient(f, typename detail::formula_variables<F>::type{});
}
template <Function F>
constexpr auto value_and_gradient(const F&) {
  return function_gradient<F, true>{};
}
template <Function F, class Wrt>
constexpr auto value_and_gradient(const F&, Wrt) {
  return detail::function_gradient_of<F, true>(positions_t<Wrt>{});
}

}  // namespace tapeless

#endif
