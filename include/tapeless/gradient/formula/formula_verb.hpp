#pragma once

#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/result/read_results.hpp>

#include <type_traits>

namespace tapeless {

/// What the verb `V` made of formulas, `F`: one, or `outputs(...)`. It is called with the values of their variables.
/// Derivatives are by `Variables`, `Policy` says what those are that no open path leads to, and `Seeds` are tangents
/// or cotangents.
template <detail::verb V, class F, class Variables, class Policy, class Seeds>
class formula_verb : public called_with_values<formula_verb<V, F, Variables, Policy, Seeds>> {
 public:
  static constexpr detail::verb does = V;
  static constexpr bool over_tensors = !V.is_sparse();
  using formula = F;
  using source = detail::lowered<F>;
  using requested = Variables;
  using directions = typename Seeds::variables;
  using policy = Policy;
  using seeds_type = Seeds;
  template <class Source>
  using evaluated = typename detail::verb_program<V, Source, detail::indices_in_t<Source, requested>,
                                                  detail::indices_in_t<Source, directions>>::type;

  constexpr explicit formula_verb(const F& wrapped, const Seeds& seeds = {}) : f_(wrapped), seeds_(seeds) {}
  constexpr const F& wrapped() const { return f_; }
  constexpr const Seeds& seeds() const { return seeds_; }

  template <class Engine, class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Engine& engine, const Bindings&... bindings) const {
    if constexpr ((detail::is_tensor_argument<Bindings> || ...)) {
      return over<Bindings...>::run(engine, f_, seeds_, bindings...);
    } else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using shape = detail::named_shape<F, source, Variables, Policy, T>;
      using inputs = detail::bound_inputs<T, source, typename detail::all_variables<source>::type, Bindings...>;
      constexpr int first = static_cast<int>(source::value.variables.size());
      if constexpr (detail::is_compared<Engine>)
        engine.template compare_verb<V, source, Variables, evaluated<source>, T, first>(inputs(f_, bindings...),
                                                                                        seeds_.template numbers<T>());
      auto done =
          detail::evaluate_for<V, evaluated<source>, T, first>(inputs(f_, bindings...), seeds_.template numbers<T>());
      return detail::read_results<V, shape, detail::entries_of<V, source, detail::indices_in_t<source, requested>>>(
          done);
    }
  }
  template <class Engine, class Result, class... Bindings>
    requires(detail::is_tensor_argument<Bindings> || ...)
  void run_into(const Engine& engine, Result& r, const Bindings&... bindings) const {
    over<Bindings...>::run_into(engine, r, f_, seeds_, bindings...);
  }

 private:
  template <class... Bindings>
  using over = std::enable_if_t<(sizeof...(Bindings) > 0),  // what follows is known when tensors are
                                detail::tensor_verb<formula_verb>>;

  [[no_unique_address]] F f_;
  [[no_unique_address]] Seeds seeds_;
};

}  // namespace tapeless
