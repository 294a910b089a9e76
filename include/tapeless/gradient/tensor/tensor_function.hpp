#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/function/function_verb.hpp>
#include <tapeless/gradient/tensor/tensor_function_results.hpp>
#include <tapeless/gradient/tensor/tensor_function_verb.hpp>

#include <type_traits>

namespace tapeless::detail::inline TAPELESS_TARGET {

template <verb V, class F, class Positions, class Policy, class Given, class... Args>
struct tensor_function_call<function_verb<V, F, Positions, Policy, Given>, F, Args...> {
  using verb_type = tensor_function_verb<V, F, positions_of<Positions, Args...>, Given, Args...>;
  using problem = typename decltype(verb_type::find_problem())::type;
  using operand = function_verb<V, F, Positions, Policy, Given>;

  template <class Engine>
  static auto run(const Engine& engine, const operand& g, const Args&... args) {
    using results = results_of<verb_type>;
    typename results::result r{};
    results::run(engine, r, false, g.seeds(), args...);
    return r;
  }
  template <class Engine, class R>
  static void run_into(const Engine& engine, R& r, const operand& g, const Args&... args) {
    results_of<verb_type>::run_into(engine, r, g.seeds(), args...);
  }

 private:
  template <class Made>
  using results_of = tensor_function_results<Made, typename Made::indices>;
};
/// Of another verb there is none.
template <class Verb, class F, class... Args>
struct tensor_function_call {
  using problem = error::call_not_over_tensors<F>;
};

}  // namespace tapeless::detail::inline TAPELESS_TARGET
