#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Gradients over tensors on several threads: `step(std::execution::par, X = data, w = weights)`; `into(r)` comes after
/// the policy. The threads are those of the standard library (with libstdc++, link `tbb`).
///
/// Large loops are split along their outermost axis into parts that do not depend on the number of threads, and the
/// sums of the parts are added in order. So results are the same for any number of threads; they can differ in the last
/// bits from those of a call without a policy. Small loops run on the calling thread.
#include <tapeless/gradient/verbs.hpp>

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
    std::array<std::ptrdiff_t, tuning::most_parts> parts;
    std::iota(parts.begin(), parts.end(), std::ptrdiff_t{0});
    std::for_each(policy, parts.begin(), parts.begin() + count, body);
  }
};

}  // namespace tapeless::detail
