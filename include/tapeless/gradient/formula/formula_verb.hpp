#pragma once

#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/result/read_results.hpp>

namespace tapeless {

/// What the verb `V` made of formulas, `F`: one, or `outputs(...)`. It is called with the values of their variables.
/// Derivatives are by `Variables`, `Policy` says what those are that no open path leads to, and `Seeds` are tangents
/// or cotangents.
template <detail::verb V, class F, class Variables, class Policy, class Seeds>
class formula_verb : public called_with_values<formula_verb<V, F, Variables, Policy, Seeds>> {
 public:
  static constexpr detail::verb does = V;
  static constexpr bool over_tensors = !V.of_numbers();
  using source = detail::lowered<F>;
  using requested = Variables;
  using directions = typename Seeds::variables;
  template <class Source>
  using evaluated = typename detail::verb_program<V, Source, detail::indices_in_t<Source, requested>,
                                                  detail::indices_in_t<Source, directions>>::type;

  constexpr explicit formula_verb(const F& wrapped, const Seeds& seeds = {}) : f_(wrapped), seeds_(seeds) {}
  constexpr const F& wrapped() const { return f_; }
  constexpr const Seeds& seeds() const { return seeds_; }

  template <class Engine, class To, class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Engine& engine, const To& to, const Bindings&... bindings) const {
    if constexpr ((detail::is_tensor_argument<Bindings> || ...)) {
      return detail::call_over_tensors<formula_verb, Bindings...>::run(engine, to, *this, bindings...);
    } else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using program = evaluated<source>;
      using shape = detail::named_shape<F, source, Variables, Policy, T>;
      using inputs = detail::bound_inputs<T, source, typename detail::all_variables<source>::type, Bindings...>;
      constexpr int first = static_cast<int>(source::value.variables.size());
      if constexpr (detail::is_compared<Engine>) {
        return engine.template compare_verb<V, source, Variables, program, T, first>(inputs(f_, bindings...),
                                                                                     seeds_.template numbers<T>());
      } else {
        auto done = detail::evaluate_for<V, program, T, first>(inputs(f_, bindings...), seeds_.template numbers<T>());
        return detail::read_results<V, shape, detail::entries_of<V, source, detail::indices_in_t<source, Variables>>>(
            done);
      }
    }
  }

 private:
  [[no_unique_address]] F f_;
  [[no_unique_address]] Seeds seeds_;
};

}  // namespace tapeless
