/// Stands for tapeless/parallel.hpp under the thread sanitizer, which does not see how TBB, compiled without it, hands
/// work over: each part of a loop runs on a thread of its own.
#include <tapeless/gradient/verbs.hpp>

#include <cstddef>
#include <execution>
#include <thread>
#include <type_traits>
#include <vector>

namespace tapeless::detail {

template <class Policy>
  requires std::is_execution_policy_v<Policy>
struct engine_of<Policy> {
  static constexpr bool is_policy = true;
  const Policy& policy;

  template <class Body>
  void operator()(std::ptrdiff_t count, Body body) const {
    std::vector<std::thread> threads;
    for (std::ptrdiff_t part = 0; part < count; ++part) threads.emplace_back([&body, part] { body(part); });
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace tapeless::detail
