#pragma once

#include <tapeless/program/graph/tuning.hpp>

#include <array>
#include <cstddef>
#include <exception>

namespace tapeless {

namespace loops {

/// Runs loops one after the other.
struct sequential {};

}  // namespace loops

namespace detail {

/// What runs loops over tensors on several threads, for the policy that a call begins with; parallel.hpp has those of
/// the standard library. An engine is called with a count, up to `tuning::most_parts`, and a body, and runs body(0),
/// ..., body(count - 1), in any order, before it returns.
template <class Policy>
struct engine_of {
  static constexpr bool is_policy = false;
};
template <class T>
concept Execution_policy = engine_of<T>::is_policy;

/// Calls an engine. An exception in a part would end the process: the first part that throws is heard, after all of
/// them.
template <class Engine, class Body>
void run_parts_by(const Engine& engine, std::ptrdiff_t count, const Body& body) {
#ifdef __cpp_exceptions
  std::array<std::exception_ptr, tuning::most_parts> thrown;
  engine(count, [&](std::ptrdiff_t part) {
    try {
      body(part);
    } catch (...) {
      thrown[static_cast<std::size_t>(part)] = std::current_exception();
    }
  });
  for (const std::exception_ptr& each : thrown)
    if (each) std::rethrow_exception(each);
#else
  engine(count, body);
#endif
}

/// Whether an engine runs loops on the rows of this process and takes the results of several together: on.hpp has it.
template <class Engine>
inline constexpr bool is_distributed = requires { typename Engine::sharded; };

/// Whether an engine compares what it computes with the plain evaluator: compare_engines.hpp has it.
template <class Engine>
inline constexpr bool is_compared = requires { typename Engine::compared; };

}  // namespace detail

}  // namespace tapeless
