#pragma once

#include <tapeless/core/target.hpp>
#include <tapeless/gradient/tensor/tensor_formula.hpp>
#include <tapeless/gradient/tensor/tensor_function.hpp>
#include <tapeless/mpi/engine.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// The calls that begin with `mpi::on(...)`: shards are taken for what they are rows of, and the engine knows of which
/// variables each process has rows.
namespace tapeless::detail {

inline namespace TAPELESS_TARGET {
template <class Verb, class... Arguments>
struct assembled_call;
}

template <class Arg>
inline constexpr bool is_shard =
    is_instance_of<mpi::detail::sharded, Arg> || is_instance_of<mpi::detail::sharded_binding, Arg>;
template <class Arg>
constexpr const auto& unsharded(const Arg& arg) {
  if constexpr (is_shard<Arg>)
    return arg.rows;
  else
    return arg;
}
template <class Arg>
using unsharded_t = std::remove_cvref_t<decltype(unsharded(std::declval<const Arg&>()))>;

template <class C, class Local, bool Ordered, bool Checks>
struct engine_of<mpi::on_processes<C, Local, Ordered, Checks>> {
  static constexpr bool is_policy = true, sums_elements = !Ordered;
};
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

/// What is wrong with sharding the variables `Ss` in a call. The parts of a matrix are checked one by one, where they
/// are computed.
template <bool Ordered, class Results, class... Ss>
constexpr program::fault shards_problem(wrt_variables<Ss...>) {
  if constexpr (std::is_void_v<Results>) {
    return program::fault::none;
  } else if constexpr (requires { typename Results::matrix; }) {
    const bool by_shards = []<class... Vs>(wrt_variables<Vs...>) {
      return (is_one_of<Vs, Ss...> || ...);
    }(typename Results::variables{});
    return by_shards ? program::fault::matrix_by_shards : program::fault::none;
  } else {
    using call = typename Results::call;
    using source = typename call::source;
    constexpr std::array<int, sizeof...(Ss)> indices{variable_index(source::value, Ss::name)...};
    constexpr int axes = program::count_axes(program::sharded_axes<source>(indices));
    if constexpr (axes > (Ordered ? 1 : static_cast<int>(mpi::call_record::axes)))
      return program::fault::too_many_shards;
    else
      return program::sharding_problem<source, typename call::P>(indices);
  }
}

/// The variables that `Args`, bindings or a function's arguments, shard.
template <class... Bindings>
struct sharded_variables : std::type_identity<wrt_variables<>> {};
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

/// What a call of `Callee` shards, and what is wrong with that.
template <bool Ordered, class Callee, class... Args>
struct shards_of {
  static constexpr bool communicates = true;
  static constexpr bool of_function = Function_verb<Callee>;
  using variables = typename std::conditional_t<of_function, sharded_leaves<Args...>, sharded_variables<Args...>>::type;
  using results = typename call_over_tensors<called<Callee>, unsharded_t<Args>...>::results;
  static constexpr auto problem = shards_problem<Ordered, results>(variables{});
};
/// The same of `Call<Callee, Args...>`. Batched calls have a result for each row, and nothing to tell other processes.
template <template <class...> class Call, bool Ordered, class Callee, class... Args>
struct sharded_values {
  static constexpr bool communicates = false;
  using variables = wrt_variables<>;
  static constexpr auto problem = program::fault::none;
};
template <bool Ordered, class G, class... Args>
struct sharded_values<formula_call, Ordered, G, Args...> : shards_of<Ordered, G, Args...> {};
template <bool Ordered, class Verb, class... Args>
struct sharded_values<function_call, Ordered, Verb, Args...> : shards_of<Ordered, Verb, Args...> {};
/// The elements of assembled verbs are those of this process, shards or not, and so are the rows of Jacobians.
template <bool Ordered, class Verb, class... Args>
struct sharded_values<assembled_call, Ordered, Verb, Args...> {
  static constexpr bool communicates = Verb::does.what != derives::jacobian;
  using variables = wrt_variables<>;
  static constexpr auto problem = [] {
    constexpr std::array<bool, sizeof...(Args)> shards{is_shard<Args>...};
    const auto vectors = shards.begin() + assembled_call<Verb, unsharded_t<Args>...>::vectors;
    return std::find(shards.begin(), vectors, true) == vectors ? program::fault::none
                                                               : program::fault::matrix_by_shards;
  }();
};
/// `into(r)` may come before them.
template <template <class...> class Call, bool Ordered, class Callee, class... Args>
struct sharded_call : sharded_values<Call, Ordered, Callee, Args...> {};
template <template <class...> class Call, bool Ordered, class Callee, class R, class... Args>
struct sharded_call<Call, Ordered, Callee, into_result<R>, Args...> : sharded_values<Call, Ordered, Callee, Args...> {};

template <template <class...> class Call, class Callee, class C, class Local, bool Ordered, bool Checks, class... Args>
struct call_with_options<Call, Callee, mpi::on_processes<C, Local, Ordered, Checks>, Args...> {
  using Policy = mpi::on_processes<C, Local, Ordered, Checks>;
  using rest = call_with_options<Call, Callee, unsharded_t<Args>...>;
  using shards = sharded_call<Call, Policy::ordered, Callee, Args...>;

  struct of_values : rest::of_values {
    static constexpr auto find_problem() {
      if constexpr (!std::is_void_v<typename rest::of_values::problem>)
        return std::type_identity<typename rest::of_values::problem>{};
      else
        return wrong_unless<shards::problem == program::fault::none, shards::problem, void>{};
    }
    using problem = typename decltype(find_problem())::type;
  };
  struct type {
    template <class Engine>
    static auto run(const Engine&, new_result to, const Callee& callee, const Policy& policy, const Args&... args) {
      const auto engine = engine_on<typename shards::variables>(policy);
      if constexpr (shards::communicates)
        return rest::type::run(engine, to, callee, unsharded(args)...);
      else
        return rest::type::run(engine.local, to, callee, unsharded(args)...);
    }
  };
};

}  // namespace tapeless::detail

namespace tapeless::mpi {

/// The number of all-reduces of a call, known at compile time: `decltype(mpi::phases(step)(X = mpi::shard(rows), w =
/// weights))::value`. Only the types of the arguments matter; arguments of functions go by position.
template <class Verb>
constexpr auto phases(const Verb&) {
  return []<class... Args>(const Args&...) {
    using shards = tapeless::detail::shards_of<false, Verb, Args...>;
    if constexpr (std::is_void_v<typename shards::results>)
      return std::integral_constant<int, 0>{};
    else
      return std::integral_constant<
          int, static_cast<int>(shards::results::call::template with_shards<typename shards::variables>::S::phases)>{};
  };
}

}  // namespace tapeless::mpi
