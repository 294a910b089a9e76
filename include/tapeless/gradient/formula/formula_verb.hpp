#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/direction.hpp>
#include <tapeless/gradient/result/read_results.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tapeless {

/// What the verb `V` made of formulas, `F`: one, or `outputs(...)`. It is called with the values of their variables.
/// Derivatives are by `Variables`, `Policy` says what those are that no open path leads to, and `Further` are tangents
/// or cotangents.
template <detail::verb V, class F, class Variables, class Policy, class Further>
class formula_verb : public called_with_values<formula_verb<V, F, Variables, Policy, Further>> {
 public:
  static constexpr detail::verb does = V;
  static constexpr bool over_tensors = !V.is_sparse();
  using formula = F;
  using source = detail::lowered<F>;
  using requested = Variables;
  using directions = typename Further::variables;
  using policy = Policy;
  using further_type = Further;
  template <class Source>
  using evaluated = typename detail::verb_program<V, Source, detail::indices_in_t<Source, requested>,
                                                  detail::indices_in_t<Source, directions>>::type;

  constexpr explicit formula_verb(const F& wrapped, const Further& further = {}) : f_(wrapped), further_(further) {}
  constexpr const F& wrapped() const { return f_; }
  constexpr const Further& further() const { return further_; }

  template <class Engine, class... Bindings>
  TAPELESS_ALWAYS_INLINE constexpr auto run(const Engine& engine, const Bindings&... bindings) const {
    if constexpr ((detail::is_tensor_argument<Bindings> || ...)) {
      return over<Bindings...>::run(engine, f_, further_, bindings...);
    } else {
      using T = detail::evaluation_type_t<F, Bindings...>;
      using shape = detail::named_shape<F, source, Variables, Policy, T>;
      using inputs = detail::bound_inputs<T, source, typename detail::all_variables<source>::type, Bindings...>;
      constexpr int first = static_cast<int>(source::value.variables.size());
      if constexpr (detail::is_compared<Engine>)
        engine.template compare_verb<V, source, Variables, evaluated<source>, T, first>(inputs(f_, bindings...),
                                                                                        further_.template numbers<T>());
      auto done =
          detail::evaluate_for<V, evaluated<source>, T, first>(inputs(f_, bindings...), further_.template numbers<T>());
      return detail::read_results<V, shape, detail::entries_of<V, source, detail::indices_in_t<source, requested>>>(
          done);
    }
  }
  template <class Engine, class Result, class... Bindings>
    requires(detail::is_tensor_argument<Bindings> || ...)
  void run_into(const Engine& engine, Result& r, const Bindings&... bindings) const {
    over<Bindings...>::run_into(engine, r, f_, further_, bindings...);
  }

 private:
  template <class... Bindings>
  using over = std::enable_if_t<(sizeof...(Bindings) > 0),  // what follows is known when tensors are
                                detail::tensor_verb<V, F, Variables, Policy, Further>>;

  [[no_unique_address]] F f_;
  [[no_unique_address]] Further further_;
};

}  // namespace tapeless
