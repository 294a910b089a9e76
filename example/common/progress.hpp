#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

namespace example {

enum class ShowProgress { automatic, always, never };

/// A bar on standard error, redrawn in place at most ten times a second and erased when the work is done.
/// Drawn when forced, otherwise only for large work on a terminal.
class Progress {
 public:
  Progress(ShowProgress show, bool large, std::string label)
      : label_(std::move(label)),
        shown_(show == ShowProgress::always || (show == ShowProgress::automatic && large && ::isatty(2) == 1)) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    if (drawn_) {
      std::fputs(::isatty(2) == 1 ? "\r\033[K" : "\n", stderr);
    }
  }

  /// `fraction` is the share of the work done, in [0, 1]; `detail` stands behind the bar.
  void update(double fraction, const std::string& detail = {}) {
    if (!shown_) {
      return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (drawn_ && now - last_ < std::chrono::milliseconds(100)) {
      return;
    }
    last_ = now;
    drawn_ = true;
    constexpr int width = 30;
    const double share = std::clamp(fraction, 0.0, 1.0);
    const auto filled = static_cast<std::size_t>(share * width);
    const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
    std::fprintf(stderr, "\r%-14s [%s] %3.0f %%  %-32s", label_.c_str(), bar.c_str(), 100 * share, detail.c_str());
    std::fflush(stderr);
  }

 private:
  std::string label_;
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace example
