#ifndef TAPELESS_TEST_BENCHMARK_SECONDS_HPP
#define TAPELESS_TEST_BENCHMARK_SECONDS_HPP
#include <chrono>

/// How long `run()` takes.
template <class Run>
double seconds(const Run& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

#endif
