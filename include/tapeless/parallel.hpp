#ifndef TAPELESS_PARALLEL_HPP
#define TAPELESS_PARALLEL_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Gradients over tensors on several threads: `step(std::execution::par, X = data, w = weights)`, and with
/// `into(r)` after the policy. The standard library runs them (libstdc++ by TBB: link `tbb`).
///
/// Large loops are split along their outermost axis into parts that do not depend on the number of threads; sums are
/// taken of the parts in their order. So results are the same for any number of threads, though not always to the
/// last bit those of a call without a policy. Small loops stay on the calling thread.
#include <tapeless/gradient/gradient.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <execution>
#include <numeric>
#include <type_traits>

namespace tapeless::detail {

template <class Policy>
  requires std::is_execution_policy_v<Policy>
struct engine_of<Policy> {
  static constexpr bool is_policy = true;
  const Policy& policy;

  template <class Body>
  void operator()(std::ptrdiff_t count, Body body) const {
    std::array<std::ptrdiff_t, 64> parts;
    std::iota(parts.begin(), parts.end(), std::ptrdiff_t{0});
    std::for_each(policy, parts.begin(), parts.begin() + count, body);
  }
};

}  // namespace tapeless::detail

#endif
