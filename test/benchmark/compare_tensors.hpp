#ifndef TAPELESS_TEST_BENCHMARK_COMPARE_TENSORS_HPP
#define TAPELESS_TEST_BENCHMARK_COMPARE_TENSORS_HPP

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>

/// Seconds of a call: the fastest of many samples, each long enough for the clock.
template <class F, class G>
void compare(const char* name, std::size_t n, F ours, G hand, double difference) {
  using clock = std::chrono::steady_clock;
  const auto time = [](auto& f, int repeat) {
    const auto begin = clock::now();
    for (int i = 0; i < repeat; ++i) f();
    return std::chrono::duration<double>(clock::now() - begin).count() / repeat;
  };
  ours(), hand();
  const int repeat = static_cast<int>(std::clamp(2e-4 / time(hand, 3), 1.0, 1e5));
  double best_ours = 1e9, best_hand = 1e9;
  for (int sample = 0; sample < (n < 1000000 ? 150 : 30); ++sample) {
    best_ours = std::min(best_ours, time(ours, repeat));
    best_hand = std::min(best_hand, time(hand, repeat));
  }
  std::printf("%-28s %8zu %10.3f %10.3f %8.3f   %.1e\n", name, n, 1e6 * best_ours, 1e6 * best_hand,
              best_ours / best_hand, difference);
}

template <class A, class B>
double largest_difference(const A& left, const B& right) {
  double result = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    result = std::max<double>(result, std::abs(left.data()[i] - right.data()[i]) / (1 + std::abs(right.data()[i])));
  return result;
}

inline double relative_difference(double left, double right) { return std::abs(left - right) / (1 + std::abs(right)); }

#endif
