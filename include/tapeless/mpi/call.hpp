#ifndef TAPELESS_MPI_CALL_HPP
#define TAPELESS_MPI_CALL_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/mpi/engine.hpp>
#include <tapeless/xtensor.hpp>

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

/// Formulas. Of a matrix its parts are checked one by one, where they are computed.
template <class G>
struct verb_of_formula {
  template <bool, class...>
  static constexpr auto problem() {
    return program::tensor_problem::none;
  }
};
template <verb V, class F, class Variables, class Policy, class Further>
struct verb_of_formula<formula_verb<V, F, Variables, Policy, Further>> {
  template <bool Ordered, class Sharded, class... Bindings>
  static constexpr auto problem() {
    using problems = shards_problem<Ordered, Variables, Sharded>;
    if constexpr (problems::template matrix_by_shards<V>)
      return program::tensor_problem::matrix_by_shards;
    else if constexpr (V.is_matrix() || !(is_tensor_argument<Bindings> || ...))
      return program::tensor_problem::none;
    else
      return problems::template of<
          typename tensor_verb<V, F, Variables, Policy, Further>::template call<Bindings...>::base>();
  }
  template <class Sharded, class... Bindings>
  static constexpr int phases = static_cast<int>(
      tensor_verb<V, F, Variables, Policy,
                  Further>::template call<Bindings...>::base::template shared_results<Sharded>::S::phases);
};
template <class G>
  requires(Expression<G> || is_outputs<G>)
struct verb_of_formula<G>
    : verb_of_formula<formula_verb<value_verb, G, wrt_variables<>, unconnected::structural_policy, nothing_further>> {};

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

template <class G, On_processes Policy, class... Args>
struct call_of<G, Policy, Args...> {
  using whole = call_of<G, unsharded_t<Args>...>;
  using sharded = typename sharded_variables<Args...>::type;

  template <class... Bindings>
  static constexpr auto find_problem(std::type_identity<call_of<G, Bindings...>>) {
    if constexpr (!std::is_void_v<typename whole::problem>)
      return std::type_identity<typename whole::problem>{};
    else
      return shards_error<verb_of_formula<G>::template problem<Policy::ordered, sharded, Bindings...>()>{};
  }
  template <class R, class... Bindings>
  static constexpr auto find_problem(std::type_identity<call_of<G, into_result<R>, Bindings...>>) {
    return find_problem(std::type_identity<call_of<G, Bindings...>>{});
  }
  using problem = typename decltype(find_problem(std::type_identity<whole>{}))::type;

  template <class Engine>
  static auto run(const Engine&, const G& g, const Policy& policy, const Args&... args) {
    return whole::run(engine_on<sharded>(policy), g, unsharded(args)...);
  }
};

/// Functions: each leaf of a sharded argument is a variable of its own.
template <bool... IsShard>
struct sharded_leaves {
  static constexpr std::array<bool, sizeof...(IsShard)> is_shard{IsShard...};
  template <class Leaves, std::size_t I>
  static auto one() {
    if constexpr (!Leaves::template is_index<I> && is_shard[Leaves::layout::position(I)])
      return std::tuple<typename Leaves::template variable<I>>{};
    else
      return std::tuple<>{};
  }
  template <class... Vs>
  static wrt_variables<Vs...> list(std::tuple<Vs...>);
  template <class... Args>
  static auto of() {
    using leaves = program::function_leaves<Args...>;
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return list(std::tuple_cat(one<leaves, I>()...));
    }(std::make_index_sequence<leaves::size>{});
  }
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
      using made = tensor_function_verb<V, F, positions_of<Positions, Args...>, Given, Args...>;
      using problems = shards_problem<Ordered, typename made::variables, Sharded>;
      if constexpr (problems::template matrix_by_shards<V>)
        return program::tensor_problem::matrix_by_shards;
      else if constexpr (V.is_matrix())
        return program::tensor_problem::none;
      else
        return problems::template of<typename made::call>();
    }
  }
  static constexpr auto problem = find();
};

template <class Verb, On_processes Policy, class... Args>
struct function_call_of<Verb, Policy, Args...> {
  using whole = function_call_of<Verb, unsharded_t<Args>...>;

  template <class... As>
  static constexpr auto find(std::type_identity<function_call_of<Verb, As...>>) {
    constexpr std::size_t before = sizeof...(Args) - sizeof...(As);
    return []<std::size_t... I>(std::index_sequence<I...>) {
      using leaves = sharded_leaves<is_shard<std::tuple_element_t<before + I, std::tuple<Args...>>>...>;
      using variables = decltype(leaves::template of<As...>());
      if constexpr (!std::is_void_v<typename whole::problem>)
        return std::pair<std::type_identity<typename whole::problem>, variables>{};
      else
        return std::pair<shards_error<verb_of_function<Verb, Policy::ordered, variables, As...>::problem>, variables>{};
    }(std::make_index_sequence<sizeof...(As)>{});
  }
  template <class R, class... As>
  static constexpr auto find(std::type_identity<function_call_of<Verb, into_result<R>, As...>>) {
    return find(std::type_identity<function_call_of<Verb, As...>>{});
  }
  using found = decltype(find(std::type_identity<whole>{}));
  using problem = typename found::first_type::type;
  using sharded = typename found::second_type;

  template <class Engine>
  static auto run(const Engine&, const Verb& verb, const Policy& policy, const Args&... args) {
    return whole::run(engine_on<sharded>(policy), verb, unsharded(args)...);
  }
};

template <class Verb, class... Args>
inline constexpr int phases_of_function = 0;
template <verb V, class F, class Positions, class Policy, class Given, class... Args>
inline constexpr int phases_of_function<function_verb<V, F, Positions, Policy, Given>, Args...> = static_cast<int>(
    tensor_function_verb<V, F, positions_of<Positions, unsharded_t<Args>...>, Given, unsharded_t<Args>...>::call::
        template shared_results<
            decltype(sharded_leaves<is_shard<Args>...>::template of<unsharded_t<Args>...>())>::S::phases);

/// Batched calls have a result for each row, and nothing to tell other processes.
template <class Verb, On_processes Policy, class... Args>
struct batched_call_problem<Verb, Policy, Args...> : batched_call_problem<Verb, unsharded_t<Args>...> {};
template <class Verb, On_processes Policy, class... Args>
struct batched_function_call_of<Verb, Policy, Args...> {
  static auto run(const Verb& verb, const Policy&, const Args&... args) {
    return batched_function_call_of<Verb, unsharded_t<Args>...>::run(verb, unsharded(args)...);
  }
};

}  // namespace tapeless::detail

#endif
