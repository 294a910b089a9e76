#ifndef TAPELESS_TEST_BENCHMARK_PEERS_PROBLEM_HPP
#define TAPELESS_TEST_BENCHMARK_PEERS_PROBLEM_HPP
#include <cstddef>
#include <string>
#include <vector>

namespace peers {

/// What a program is timed on: `inputs` numbers give `outputs` values and their Jacobian.
struct problem {
  std::string name;
  std::size_t inputs = 0, outputs = 1;
  std::size_t size = 0;              // of V problems: how many points, elements or rows
  std::vector<double> data, labels;  // constants
  std::size_t label = 0;
  const double* stopped_at = nullptr;  // while differences are formed: the point of what is behind a stop
  bool verifying = false;              // otherwise arrays may stay where a library keeps its results
};

/// Writes the values, then the Jacobian column by column: for each input the derivatives of all outputs.
using evaluator = void (*)(const problem&, const double* in, double* out);

/// A library's or a hand's way to compute a problem.
struct candidate {
  std::string problem, library;
  evaluator evaluate;
};

std::vector<candidate>& candidates();

struct add {
  add(const char* problem, const char* library, evaluator evaluate) {
    candidates().push_back({problem, library, evaluate});
  }
};

}  // namespace peers

#endif
