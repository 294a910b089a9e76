// Times by_hand::reprojection and by_trace::reprojection in one process, in turns, on observations of one scene. Prints
// the best time of a call of each in nanoseconds, and the median of the ratios of neighbouring measurements.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "kernels.hpp"

namespace {

struct Observation {
  std::array<double, 11> camera;
  std::array<double, 3> point;
  double weight;
  std::array<double, 2> seen;
};

std::vector<Observation> observations() {
  std::mt19937 engine(20);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(engine()) / static_cast<double>(std::mt19937::max());
  };
  // Few enough that they and their results stay in the first and second cache.
  std::vector<Observation> all(256);
  for (Observation& o : all) {
    for (std::size_t i = 0; i < 3; ++i) {
      o.camera[i] = between(-1, 1);
      o.camera[3 + i] = between(-1, 1) - (i == 2 ? 6 : 0);
      o.point[i] = between(-1, 1);
    }
    o.camera[6] = between(400, 600);
    o.camera[7] = between(200, 300);
    o.camera[8] = between(200, 300);
    o.camera[9] = between(-0.1, 0.1);
    o.camera[10] = between(-0.01, 0.01);
    o.weight = between(0.5, 2);
    o.seen = {between(0, 500), between(0, 500)};
  }
  return all;
}

using Kernel = decltype(&by_hand::reprojection);

/// Nanoseconds a call, over all observations, several times.
double time_of(Kernel kernel, const std::vector<Observation>& all, std::vector<Reprojection>& results) {
  constexpr int passes = 4;
  const auto start = std::chrono::steady_clock::now();
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < all.size(); ++i)
      results[i] = kernel(all[i].camera, all[i].point, all[i].weight, all[i].seen);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / static_cast<double>(passes * all.size());
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  const std::vector<Observation> all = observations();
  std::vector<Reprojection> results(all.size());
  std::vector<double> by_hand_times, by_trace_times, ratios;
  for (int turn = 0; turn < 3000; ++turn) {
    double by_hand = 0, by_trace = 0;
    // Each goes first half of the time.
    for (const bool hand : {turn % 2 == 0, turn % 2 != 0})
      (hand ? by_hand : by_trace) = time_of(hand ? &by_hand::reprojection : &by_trace::reprojection, all, results);
    by_hand_times.push_back(by_hand);
    by_trace_times.push_back(by_trace);
    ratios.push_back(by_trace / by_hand);
  }
  std::printf("%.2f %.2f %.4f\n", *std::ranges::min_element(by_hand_times), *std::ranges::min_element(by_trace_times),
              median(std::move(ratios)));
}
