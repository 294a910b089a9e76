#ifndef TAPELESS_TEST_BENCHMARK_COMPARE_HPP
#define TAPELESS_TEST_BENCHMARK_COMPARE_HPP

#include "seconds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

/// Times two programs in turn and prints the medians of the processor's time, in nanoseconds a step, and their ratio.
template <class Ours, class Theirs>
void compare(const char* what, int n, int repetitions, const Ours& ours, const Theirs& theirs) {
  std::vector<double> a, b;
  for (int i = 0; i < repetitions; ++i) a.push_back(cpu_seconds(ours)), b.push_back(cpu_seconds(theirs));
  const auto median = [](std::vector<double>& all) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    return all[all.size() / 2];
  };
  const double x = median(a), y = median(b);
  std::printf("%-48s %8d steps %8.2f ns %8.2f ns a step  %.3f\n", what, n, x / n * 1e9, y / n * 1e9, x / y);
}

/// The same for functions of `observations` steps, each called so many times in a row.
template <class Ours, class Theirs>
void compare_calls(const char* what, int observations, int calls, int repetitions, const Ours& ours,
                   const Theirs& theirs) {
  const auto repeated = [calls](const auto& f) {
    return [&f, calls] {
      for (int i = 0; i < calls; ++i) f();
    };
  };
  std::array<char, 64> label{};
  std::snprintf(label.data(), label.size(), "%s, %d observations", what, observations);
  compare(label.data(), observations * calls, repetitions, repeated(ours), repeated(theirs));
}

/// Ends the program where two results do not agree.
inline void check_equal(std::span<const double> ours, std::span<const double> by_hand) {
  bool equal = ours.size() == by_hand.size();
  for (std::size_t i = 0; equal && i < ours.size(); ++i)
    equal = std::abs(ours[i] - by_hand[i]) < 1e-9 * (1 + std::abs(by_hand[i]));
  if (!equal) std::puts("the results differ"), std::exit(1);
}

#endif
