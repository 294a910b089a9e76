#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

/// A tool for GradBench (github.com/gradbench/gradbench): a module of functions for each of its evals.
namespace gradbench {

using json = nlohmann::json;

/// Runs a function as often and as long as a message asks, and notes the times.
class Runs {
 public:
  explicit Runs(const json& input) {
    if (!input.is_object()) return;
    least_ = input.value("min_runs", least_);
    seconds_ = input.value("min_seconds", seconds_);
  }

  template <class F>
  void operator()(const F& f) {
    using clock = std::chrono::steady_clock;
    clock::duration all{};
    do {
      const auto start = clock::now();
      f();
      const auto taken = clock::now() - start;
      all += taken;
      nanoseconds_.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count());
    } while (nanoseconds_.size() < least_ || std::chrono::duration<double>(all).count() < seconds_);
  }

  [[nodiscard]] const std::vector<long long>& nanoseconds() const { return nanoseconds_; }

 private:
  std::size_t least_ = 1;
  double seconds_ = 0;
  std::vector<long long> nanoseconds_;
};

/// Computes the output from the input. Only what it does inside of `runs` is timed.
using Function = json (*)(const json& input, Runs& runs);
using Module = std::map<std::string, Function>;

extern const Module hello, lse, llsq, gmm, kmeans, ba, ht, lstm, ode, det, particle, saddle;

}  // namespace gradbench
