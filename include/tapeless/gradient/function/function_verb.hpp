#pragma once

#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/function/function_call.hpp>
#include <tapeless/gradient/function/function_inputs.hpp>
#include <tapeless/gradient/function/verb_inside.hpp>
#include <tapeless/gradient/result/read_results.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// The results of functions of numbers: derivatives in the shapes of the arguments at `Positions`, matrices as arrays
/// whose columns count the numbers of those; by sequences, an array of gradients.
template <class Source, class Layout, class T, std::size_t... Positions>
struct positional_shape {
  using number = T;
  static constexpr std::size_t outputs = Source::value.outputs.size(), variables = (Layout::sizes[Positions] + ... + 0);

  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto values(const Evaluation& done) {
    if constexpr (outputs == 1)
      return static_cast<T>(done.template output<First>());
    else
      return read_array<T, outputs, First>(done);
  }
  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto tangents(const Evaluation& done) {
    return values<First>(done);
  }
  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto gradient(const Evaluation& done) {
    return Layout::template read<T, First, Positions...>(done);
  }
  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto jacobian(Evaluation& parts) {
    if constexpr ((is_loop_sequence<typename Layout::template argument<Positions>>() || ...)) {
      parts.template compute<First, First + outputs * variables>();
      return [&]<std::size_t... Row>(std::index_sequence<Row...>) {
        using row = decltype(gradient<First>(parts));
        return std::array<row, outputs>{gradient<First + Row * variables>(parts)...};
      }(std::make_index_sequence<outputs>{});
    } else
      return compute_rows<T, First, variables>(parts, std::make_index_sequence<outputs>{});
  }
  template <std::size_t First, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto hessian(const Evaluation& done) {
    const auto upper = read_array<T, triangle(variables), First>(done);
    std::array<std::array<T, variables>, variables> result{};
    for (std::size_t i = 0; i < variables; ++i)
      for (std::size_t j = i; j < variables; ++j) result[i][j] = result[j][i] = upper[triangle(j) + i];
    return result;
  }
  template <class Entries, class Evaluation>
  TAPELESS_ALWAYS_INLINE static constexpr auto sparse(const Evaluation& done) {
    return sparse_matrix<Entries, T>{read_array<T, Entries::count, 0>(done)};
  }
};

}  // namespace detail

/// What the verb `V` made of the traced function `F`. Derivatives are by the arguments at `Positions`, by all if there
/// are none; `Seeds` are tangents of these arguments, or cotangents.
template <detail::verb V, class F, class Positions, class Policy, class Seeds>
class function_verb
    : public detail::called_with_arguments<function_verb<V, F, Positions, Policy, Seeds>, F, Positions> {
 public:
  static constexpr detail::verb does = V;
  using policy = Policy;
  using over_tensors = function_verb<V, detail::with_loops_over_tensors<F>, Positions, Policy, Seeds>;

  template <class Layout, std::size_t... P>
  static constexpr auto find_variables() {
    if constexpr (V.what == detail::derives::nothing)
      return std::integer_sequence<int>{};
    else
      return typename Layout::template variables<P...>{};
  }
  template <class Layout, std::size_t... P>
  using variables = decltype(find_variables<Layout, P...>());
  template <class Source, class Variables>
  using evaluated = typename detail::verb_program<V, Source, Variables>::type;

  /// Whether the tangents or cotangents are as many as the arguments at `P`, or what the function returns, have
  /// numbers.
  template <class Source, std::size_t... P, class... Args>
  static constexpr bool fits(std::type_identity<std::tuple<Args...>>) {
    if constexpr (V.takes_tangents())
      return Seeds::size == (detail::argument_layout<Args...>::template shape<P>::size + ... + 0);
    else if constexpr (V.what == detail::derives::pullback)
      return Seeds::size == Source::value.outputs.size();
    else
      return true;
  }

  /// Which of the numbers of the seeds are variables of the program: of tangents those of what has derivatives.
  template <class Layout, std::size_t... P>
  static constexpr auto places_of_seeds() {
    if constexpr (V.takes_tangents())
      return Layout::template places<P...>();
    else
      return std::make_integer_sequence<int, static_cast<int>(Seeds::size)>{};
  }

  constexpr explicit function_verb(const Seeds& seeds = {}) : seeds_(seeds) {}
  constexpr const Seeds& seeds() const { return seeds_; }
  constexpr operator over_tensors() const { return over_tensors(seeds_); }

  template <std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto run(std::index_sequence<P...> at, const Args&... args) const {
    if constexpr (detail::takes_tensors_inside<F, Args...>) {
      return run_inside<P...>(args...);
    } else {
      // Inside a function over tensors the arguments may be tensors, whatever the function does with them.
      if constexpr (is_traced<detail::function_real_t<Args...>> && !V.is_sparse())
        if (const program::builder* graph = detail::find_graph(args...);
            graph && graph->mode() == program::stage::recording)
          return run_inside<P...>(args...);
      return run_numbers(loops::sequential{}, at, args...);
    }
  }
  template <class Engine, std::size_t... P, class... Args>
  TAPELESS_ALWAYS_INLINE constexpr auto run_numbers([[maybe_unused]] const Engine& engine, std::index_sequence<P...>,
                                                    const Args&... args) const {
    using T = detail::function_real_t<Args...>;
    using layout = detail::argument_layout<Args...>;
    using source = detail::traced_program<F, Args...>;
    using shape = detail::positional_shape<source, layout, T, P...>;
    using chosen = variables<layout, P...>;
    using program = evaluated<source, chosen>;
    constexpr int first = static_cast<int>(layout::size);
    if constexpr (detail::is_compared<Engine>) {
      return engine.template compare_verb<V, source, std::pair<layout, chosen>, program, T, first>(
          detail::function_inputs<T, Args...>{args...}, seed_numbers<T, layout, P...>());
    } else {
      auto done = detail::evaluate_for<V, program, T, first>(detail::function_inputs<T, Args...>{args...},
                                                             seed_numbers<T, layout, P...>());
      return detail::read_results<V, shape, detail::entries_of<V, source, chosen>>(done);
    }
  }

  /// The seeds as numbers: tangents of the arguments at `P`, or cotangents.
  template <class T, class Layout, std::size_t... P>
  TAPELESS_ALWAYS_INLINE constexpr auto seed_numbers() const {
    if constexpr (V.takes_tangents())
      return seeds_.template numbers_at<T>(Layout::template places<P...>());
    else
      return seeds_.template numbers<T>();
  }

 private:
  template <std::size_t... P, class... Args>
  constexpr auto run_inside(const Args&... args) const {
    using layout = detail::argument_layout<Args...>;
    using inside = detail::verb_inside<V, F, variables<layout, P...>, Args...>;
    using shape = detail::positional_shape<typename inside::source, layout, traced, P...>;
    inside recorded(detail::find_graph(args...), detail::function_inputs<traced, Args...>{args...},
                    seed_numbers<traced, layout, P...>());
    return detail::read_results<V, shape>(recorded);
  }

  [[no_unique_address]] Seeds seeds_;
};

}  // namespace tapeless
