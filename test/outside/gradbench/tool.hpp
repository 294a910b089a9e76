#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

/// A tool for GradBench (github.com/gradbench/gradbench): a module of functions for each of its evals.
namespace gradbench {

using json = nlohmann::json;

/// Runs a function as often and as long as a message asks, notes the times, and gives what the last run gave.
class Runs {
 public:
  explicit Runs(const json& input) {
    if (!input.is_object()) return;
    least_ = input.value("min_runs", least_);
    seconds_ = input.value("min_seconds", seconds_);
  }

  template <class F>
  auto operator()(const F& f) {
    using result_type = std::invoke_result_t<const F&>;
    if constexpr (std::is_void_v<result_type>) {
      using clock = std::chrono::steady_clock;
      clock::duration all{};
      do {
        const auto start = clock::now();
        f();
        const auto taken = clock::now() - start;
        all += taken;
        nanoseconds_.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count());
      } while (nanoseconds_.size() < least_ || std::chrono::duration<double>(all).count() < seconds_);
    } else {
      result_type result{};
      (*this)([&] { result = f(); });
      return result;
    }
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
