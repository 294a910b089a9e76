#ifndef TAPELESS_TEST_BENCHMARK_SECONDS_HPP
#define TAPELESS_TEST_BENCHMARK_SECONDS_HPP
#include <chrono>
#include <ctime>

/// How long `run()` takes.
template <class Run>
double seconds(const Run& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The processor's time that `run()` takes, in all threads: other programs that run meanwhile do not count, as they
/// would where it takes longer than the system lets a program have the processor at a time.
template <class Run>
double cpu_seconds(const Run& run) {
  const auto now = [] {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  run();
  return now() - start;
}

#endif
