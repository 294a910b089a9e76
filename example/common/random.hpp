#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace example {

/// Random numbers that are the same everywhere: the standard fixes the engine's numbers, but not its distributions'.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// In (0, 1).
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }

  /// By Box and Muller's method.
  double normal(double mean = 0, double sd = 1) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return mean + sd * radius * std::cos(2 * std::numbers::pi * uniform());
  }

  /// One of 0, ..., n - 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform() * static_cast<double>(n)); }

  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) {
      std::swap(list[i - 1], list[below(i)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace example
