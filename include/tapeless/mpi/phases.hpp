#pragma once

#include <tapeless/mpi/call.hpp>

#include <type_traits>

namespace tapeless::mpi {

/// The number of all-reduces of a call, known at compile time: `decltype(mpi::phases(step)(X = mpi::shard(rows), w =
/// weights))::value`. Only the types of the arguments matter; arguments of functions go by position.
template <class Verb>
constexpr auto phases(const Verb&) {
  return []<class... Args>(const Args&...) {
    using tapeless::detail::unsharded_t;
    if constexpr (requires { typename Verb::asked_positions; })
      return std::integral_constant<int, tapeless::detail::phases_of_function<Verb, Args...>>{};
    else
      return std::integral_constant<
          int, tapeless::detail::verb_of_formula<Verb>::template phases<
                   typename tapeless::detail::sharded_variables<Args...>::type, unsharded_t<Args>...>>{};
  };
}

}  // namespace tapeless::mpi
