// Samples posteriors of posteriordb with gradients of tapeless, and compares means and standard deviations with those
// of the reference draws, and the gradients with differences of values in long double:
//
//   outside.posteriordb FOLDER [NAME...]
//
// FOLDER has what unpack.py writes. Fails where a posterior is outside its tolerance: the mean 0.1 standard deviations,
// the standard deviation 10 percent. The reference's 10,000 draws leave errors of 0.01 to 0.03, and ours a little more.
#include "run.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace posteriordb {
namespace {

std::filesystem::path folder;
std::vector<std::string> only;
int posteriors = 0, failures = 0;

}  // namespace

void print(const Row& row) {
  const bool near = row.mean_error < 0.1 && row.narrowest > 0.9 && row.widest < 1.1;
  const bool good = row.gradient_error < row.options.gradient && (near || !row.compared);
  std::printf("%-43s | %10zu | %8.0e |", row.name.c_str(), row.parameters, row.gradient_error);
  if (row.compared)
    std::printf(" %5.3f | %.3f to %.3f |", row.mean_error, row.narrowest, row.widest);
  else
    std::printf("  none |           none |");
  std::printf(" %5.1f | %9zu | %8.2f%s\n", row.steps, row.divergences, row.microseconds, good ? "" : " outside");
  std::fflush(stdout);
  ++posteriors, failures += !good;
}

std::filesystem::path path_of(const std::string& name) {
  const bool wanted = only.empty() || std::ranges::find(only, name) != only.end();
  return wanted ? folder / (name + ".txt") : std::filesystem::path();
}

}  // namespace posteriordb

int main(int count, char** arguments) try {
  using namespace posteriordb;
  folder = count > 1 ? arguments[1] : ".";
  for (int i = 2; i < count; ++i) only.emplace_back(arguments[i]);
  std::printf(
      "Errors of gradients and of means in standard deviations; ratios of standard deviations; gradients for each "
      "draw; their time\n");
  std::printf("%-43s | parameters | gradient |  mean | sd             | steps | divergent | microsec\n", "posterior");
  run_numbers();
  run_equations();
  run_vectors();
  run_regressions();
  std::printf("%d posteriors; %d are outside their tolerance\n", posteriors, failures);
  return posteriors == 0 || failures > 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
