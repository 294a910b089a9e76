#pragma once

#include "../common/csv.hpp"
#include "../common/output.hpp"

#include <tapeless/distributed.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace distributed {

/// All that the next iteration depends on.
struct State {
  int iteration = 0;
  std::vector<double> parameters;
  std::vector<double> before;  ///< the iteration's before, for momentum
};

/// A file that holds the state, exactly: numbers are written in base 16. `what` names the fit that it belongs to.
class Checkpoint {
  std::string path_;
  std::string what_;

 public:
  Checkpoint(std::string path, std::string what) : path_(std::move(path)), what_(std::move(what)) {}

  /// The first process writes; the file has its name once it is complete, and until then the one before has.
  template <class Communicator>
  void save(Communicator& processes, const State& state) const {
    tapeless::mpi::together(processes, [&] {
      if (processes.rank() != 0) {
        return;
      }
      std::string text = what_ + "\n" + std::to_string(state.iteration) + "\n";
      for (const auto* numbers : {&state.parameters, &state.before}) {
        for (const double number : *numbers) {
          char spelled[64];
          std::snprintf(spelled, sizeof spelled, "%a\n", number);
          text += spelled;
        }
      }
      example::write_file(path_, text);
    });
  }
  /// The state in the file, or `start` where there is none. The first process reads it for all.
  template <class Communicator>
  State load(Communicator& processes, const State& start) const {
    State state = start;
    std::vector<double> numbers(1 + 2 * start.parameters.size(), 0.0);
    tapeless::mpi::together(processes, [&] {
      if (processes.rank() == 0) {
        if (std::filesystem::exists(path_)) {
          read(state);
        }
        double* to = numbers.data();
        *to++ = state.iteration;
        for (const auto* list : {&state.parameters, &state.before}) {
          to = std::copy(list->begin(), list->end(), to);
        }
      }
    });
    processes.all_reduce(std::span<double>(numbers));
    state.iteration = static_cast<int>(numbers[0]);
    const auto middle = numbers.begin() + 1 + static_cast<std::ptrdiff_t>(start.parameters.size());
    state.parameters.assign(numbers.begin() + 1, middle);
    state.before.assign(middle, numbers.end());
    return state;
  }

 private:
  void read(State& state) const {
    std::istringstream text(example::read_file(path_));
    std::string what, word;
    std::getline(text, what);
    if (what != what_) {
      throw example::Error(path_ + ": a checkpoint of another fit: " + example::printable(what, 100));
    }
    bool good = static_cast<bool>(text >> state.iteration);
    for (auto* list : {&state.parameters, &state.before}) {
      for (double& number : *list) {
        good = good && text >> word && std::sscanf(word.c_str(), "%la", &number) == 1;
      }
    }
    if (!good) {
      throw example::Error(path_ + ": not a complete checkpoint");
    }
  }
};

}  // namespace distributed
