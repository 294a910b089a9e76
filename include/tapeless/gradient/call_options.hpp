#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>
#include <tapeless/evaluate/kernels/engine.hpp>

#include <type_traits>

namespace tapeless {

/// An existing result that a call writes into: made by `into(r)`.
template <class R>
struct into_result {
  R* result;
};
/// `step(into(r), X = data, ...)` writes into the result `r` of an earlier call. It allocates nothing if the shapes are
/// the same.
template <class R>
constexpr into_result<R> into(R& result) {
  return {&result};
}

namespace detail {

/// Where a call makes its result, as one with `into(r)` has an `into_result`.
struct new_result {};

/// How the call `Call<Callee, Args...>` is made: an execution policy and `into(r)` come before the values, `Args`. A
/// call with values has `problem`, what is wrong with it, and `run`, which makes a `new_result` or writes into one that
/// exists.
template <template <class...> class Call, class Callee, class... Args>
struct call_with_options {
  using of_values = Call<Callee, Args...>;
  using type = of_values;
};
template <template <class...> class Call, class Callee, Execution_policy Policy, class... Args>
struct call_with_options<Call, Callee, Policy, Args...> {
  using rest = call_with_options<Call, Callee, Args...>;
  using of_values = typename rest::of_values;

  struct type {
    template <class Engine>
    static constexpr auto run(const Engine&, new_result to, const Callee& callee, const Policy& policy,
                              const Args&... args) {
      return rest::type::run(engine_of<Policy>{policy}, to, callee, args...);
    }
  };
};
template <template <class...> class Call, class Callee, class R, class... Args>
struct call_with_options<Call, Callee, into_result<R>, Args...> {
  using of_values = Call<Callee, Args...>;

  struct type {
    template <class Engine>
    TAPELESS_ALWAYS_INLINE static constexpr void run(const Engine& engine, new_result apart, const Callee& callee,
                                                     const into_result<R>& to, const Args&... args) {
      constexpr bool fits = std::is_same_v<R, decltype(of_values::run(engine, apart, callee, args...))>;
      static_assert(fits, "tapeless: into(r) needs the result of the same call with values of the same types [TL067]");
      if constexpr (fits) of_values::run(engine, to, callee, args...);
    }
  };
};

}  // namespace detail

namespace detail::inline TAPELESS_TARGET {

/// How a verb computes over tensors, called with `Args`: `problem`, `run`, and the way of its `results`, `void` if it
/// does not. tensor_formula.hpp and tensor_function.hpp have those that do.
template <class Verb, class... Args>
struct call_over_tensors {
  using results = void;
};

/// A call that makes a result or writes into one, by `Call::into`, which says whether it did: not where what it reads
/// lies there.
template <class Call>
struct call_into_result {
  template <class Engine, class... Given>
  static auto run(const Engine& engine, new_result, const Given&... given) {
    typename Call::result r{};
    Call::template into<false>(engine, r, given...);
    return r;
  }
  template <class Engine, class R, class... Given>
  static void run(const Engine& engine, const into_result<R>& to, const Given&... given) {
    if (Call::template into<true>(engine, *to.result, given...)) return;
    const auto apart = run(engine, new_result{}, given...);
    *to.result = apart;
  }
};

}  // namespace detail::inline TAPELESS_TARGET

}  // namespace tapeless
