#pragma once

// What the tests of assembled sums share: threads of their own, and messages of exceptions.
#include "../message_of.hpp"

#include <tapeless/assemble.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/// Runs parts on threads, the last part first.
struct on_threads {
  int threads;
};
template <>
struct tapeless::detail::engine_of<on_threads> {
  static constexpr bool is_policy = true;
  const on_threads& policy;

  template <class Body>
  void operator()(std::ptrdiff_t count, Body body) const {
    std::vector<std::thread> all;
    for (int t = 0; t < policy.threads; ++t)
      all.emplace_back([&, t] {
        for (std::ptrdiff_t part = count - 1 - t; part >= 0; part -= policy.threads) body(part);
      });
    for (std::thread& each : all) each.join();
  }
};

namespace tapeless_test {

std::string message_of(const auto& call) { return message_of<std::invalid_argument>(call); }

}  // namespace tapeless_test
