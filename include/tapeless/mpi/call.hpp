#pragma once

#include <tapeless/gradient/tensor/tensor_formula.hpp>
#include <tapeless/gradient/tensor/tensor_function.hpp>
#include <tapeless/mpi/engine.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// The calls that begin with `mpi::on(...)`: shards are taken for what they are rows of, and the engine knows of which
/// variables each process has rows.
namespace tapeless::detail {

template <class Arg>
inline constexpr bool is_shard = false;
template <class T>
inline constexpr bool is_shard<mpi::detail::sharded<T>> = true;
template <class B>
inline constexpr bool is_shard<mpi::detail::sharded_binding<B>> = true;

template <class Arg>
constexpr const Arg& unsharded(const Arg& arg) {
  return arg;
}
template <class T>
constexpr const auto& unsharded(const mpi::detail::sharded<T>& shard) {
  return shard.rows;
}
template <class B>
constexpr const B& unsharded(const mpi::detail::sharded_binding<B>& shard) {
  return shard.binding;
}
template <class Arg>
using unsharded_t = std::remove_cvref_t<decltype(unsharded(std::declval<const Arg&>()))>;

template <class C, class Local, bool Ordered, bool Checks>
struct engine_of<mpi::on_processes<C, Local, Ordered, Checks>> {
  static constexpr bool is_policy = true;
};
template <class Policy>
concept On_processes = Execution_policy<Policy> && mpi::detail::is_on_processes<Policy>;

template <class Sharded, class Policy>
auto engine_on(const Policy& policy) {
  using local = std::remove_cvref_t<decltype(policy.local())>;
  if constexpr (std::is_same_v<local, loops::sequential>) {
    return mpi::detail::engine<Policy, loops::sequential, Sharded>(policy, {});
  } else {
    // The standard's policies are constants.
    static const local kept = policy.local();
    return mpi::detail::engine<Policy, engine_of<local>, Sharded>(policy, engine_of<local>{kept});
  }
}

/// What is wrong with sharding these variables in a call of the verb `V` that is the tensor call `Call`.
template <bool Ordered, class Variables, class Sharded>
struct shards_problem;
template <bool Ordered, class... Vs, class... Ss>
struct shards_problem<Ordered, wrt_variables<Vs...>, wrt_variables<Ss...>> {
  template <class Call>
  static constexpr program::tensor_problem of() {
    using source = typename Call::operand::source;
    constexpr std::array<int, sizeof...(Ss)> indices{variable_index(source::value, Ss::name)...};
    constexpr int axes = program::count_axes(program::sharded_axes<source>(indices));
    if constexpr (axes > (Ordered ? 1 : static_cast<int>(mpi::call_record::axes)))
      return program::tensor_problem::too_many_shards;
    else
      return program::sharding_problem<source, typename Call::template made<source>::finished>(indices);
  }
  template <verb V>
  static constexpr bool matrix_by_shards = V.is_matrix() && (is_one_of<Vs, Ss...> || ...);
};
template <program::tensor_problem Problem>
using shards_error = std::conditional_t<Problem == program::tensor_problem::none, std::type_identity<void>,
                                        std::type_identity<error::tensors_do_not_fit<Problem>>>;

/// What is wrong with a call of formulas. Of a matrix its parts are checked one by one, where they are computed.
template <class G>
struct verb_of_formula {
  template <bool, class...>
  static constexpr auto problem() {
    return program::tensor_problem::none;
  }
};
template <verb V, class F, class Variables, class Policy, class Seeds>
struct verb_of_formula<formula_verb<V, F, Variables, Policy, Seeds>> {
  template <bool Ordered, class Sharded, class... Bindings>
  static constexpr auto problem() {
    using problems = shards_problem<Ordered, Variables, Sharded>;
    if constexpr (problems::template matrix_by_shards<V>)
      return program::tensor_problem::matrix_by_shards;
    else if constexpr (V.is_matrix() || !(is_tensor_argument<Bindings> || ...))
      return program::tensor_problem::none;
    else
      return problems::template of<
          typename tensor_verb<V, F, Variables, Policy, Seeds>::template results<Bindings...>::call>();
  }
  template <class Sharded, class... Bindings>
  static constexpr int phases = static_cast<int>(
      tensor_verb<V, F, Variables, Policy,
                  Seeds>::template results<Bindings...>::call::template with_shards<Sharded>::S::phases);
};
template <class G>
  requires(Expression<G> || is_outputs<G>)
struct verb_of_formula<G>
    : verb_of_formula<formula_verb<value_verb, G, wrt_variables<>, unconnected::structural_policy, no_seeds>> {};

/// The variables that `Args`, bindings or a function's arguments, shard.
template <class... Bindings>
struct sharded_variables {
  using type = wrt_variables<>;
};
template <class B, class... Bindings>
struct sharded_variables<mpi::detail::sharded_binding<B>, Bindings...> {
  template <class... Vs>
  static wrt_variables<typename B::variable_type, Vs...> with(wrt_variables<Vs...>);
  using type = decltype(with(typename sharded_variables<Bindings...>::type{}));
};
template <class Other, class... Bindings>
struct sharded_variables<Other, Bindings...> : sharded_variables<Bindings...> {};

/// Of functions each leaf of a sharded argument is a variable of its own.
template <class... Args>
struct sharded_leaves {
  using leaves = program::function_leaves<unsharded_t<Args>...>;
  static constexpr std::array<bool, sizeof...(Args)> shards{is_shard<Args>...};
  template <std::size_t I>
  static auto one() {
    if constexpr (!leaves::template is_index<I> && shards[leaves::layout::position(I)])
      return std::tuple<typename leaves::template variable<I>>{};
    else
      return std::tuple<>{};
  }
  template <class... Vs>
  static wrt_variables<Vs...> list(std::tuple<Vs...>);
  template <std::size_t... I>
  static auto all(std::index_sequence<I...>) -> decltype(list(std::tuple_cat(one<I>()...)));
  using type = decltype(all(std::make_index_sequence<leaves::size>{}));
};

template <class Verb, bool Ordered, class Sharded, class... Args>
struct verb_of_function {
  static constexpr auto problem = program::tensor_problem::none;
};
template <verb V, class F, class Positions, class Policy, class Given, bool Ordered, class Sharded, class... Args>
struct verb_of_function<function_verb<V, F, Positions, Policy, Given>, Ordered, Sharded, Args...> {
  static constexpr auto find() {
    if constexpr (!is_over_tensors<F, Args...>()) {
      return program::tensor_problem::none;
    } else {
      using made = tensor_function_call<function_verb<V, F, Positions, Policy, Given>, F, Args...>;
      using problems = shards_problem<Ordered, typename made::form::variables, Sharded>;
      if constexpr (problems::template matrix_by_shards<V>)
        return program::tensor_problem::matrix_by_shards;
      else if constexpr (V.is_matrix())
        return program::tensor_problem::none;
      else
        return problems::template of<typename made::results::call>();
    }
  }
  static constexpr auto problem = find();
};

/// What `Call<Callee, Args...>` shards, and what is wrong with that. Batched calls have a result for each row, and
/// nothing to tell other processes.
template <template <class...> class Call, bool Ordered, class Callee, class... Args>
struct sharded_values {
  static constexpr bool communicates = false;
  using variables = wrt_variables<>;
  static constexpr auto problem = program::tensor_problem::none;
};
template <bool Ordered, class G, class... Args>
struct sharded_values<formula_call, Ordered, G, Args...> {
  static constexpr bool communicates = true;
  using variables = typename sharded_variables<Args...>::type;
  static constexpr auto problem = verb_of_formula<G>::template problem<Ordered, variables, unsharded_t<Args>...>();
};
template <bool Ordered, class Verb, class... Args>
struct sharded_values<function_call, Ordered, Verb, Args...> {
  static constexpr bool communicates = true;
  using variables = typename sharded_leaves<Args...>::type;
  static constexpr auto problem = verb_of_function<Verb, Ordered, variables, unsharded_t<Args>...>::problem;
};
/// `into(r)` may come before them.
template <template <class...> class Call, bool Ordered, class Callee, class... Args>
struct sharded_call : sharded_values<Call, Ordered, Callee, Args...> {};
template <template <class...> class Call, bool Ordered, class Callee, class R, class... Args>
struct sharded_call<Call, Ordered, Callee, into_result<R>, Args...> : sharded_values<Call, Ordered, Callee, Args...> {};

template <template <class...> class Call, class Callee, On_processes Policy, class... Args>
struct call_with_options<Call, Callee, Policy, Args...> {
  using rest = call_with_options<Call, Callee, unsharded_t<Args>...>;
  using shards = sharded_call<Call, Policy::ordered, Callee, Args...>;

  struct of_values : rest::of_values {
    static constexpr auto find_problem() {
      if constexpr (!std::is_void_v<typename rest::of_values::problem>)
        return std::type_identity<typename rest::of_values::problem>{};
      else
        return shards_error<shards::problem>{};
    }
    using problem = typename decltype(find_problem())::type;
  };
  struct type {
    template <class Engine>
    static auto run(const Engine&, const Callee& callee, const Policy& policy, const Args&... args) {
      const auto engine = engine_on<typename shards::variables>(policy);
      if constexpr (shards::communicates)
        return rest::type::run(engine, callee, unsharded(args)...);
      else
        return rest::type::run(engine.local, callee, unsharded(args)...);
    }
  };
};

template <class Verb, class... Args>
inline constexpr int phases_of_function = 0;
template <verb V, class F, class Positions, class Policy, class Given, class... Args>
inline constexpr int phases_of_function<function_verb<V, F, Positions, Policy, Given>, Args...> =
    static_cast<int>(tensor_function_call<function_verb<V, F, Positions, Policy, Given>, F, unsharded_t<Args>...>::
                         results::call::template with_shards<typename sharded_leaves<Args...>::type>::S::phases);

}  // namespace tapeless::detail
