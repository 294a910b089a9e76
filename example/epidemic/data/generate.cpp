// Writes a CSV file like the record of an epidemic among 12000 people: reported cases on each of its first days.
// generate DAYS > FILE; the same DAYS give the same bytes (100 give outbreak.csv).
#include "../../common/random.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

/// A Poisson number with this mean, up to about 600, by inversion.
int poisson(example::Random& random, double mean) {
  double left = random.uniform();
  double probability = std::exp(-mean);
  int count = 0;
  while (left > probability && count < 2000) {
    left -= probability;
    ++count;
    probability *= mean / count;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  int days = 0;
  const char* const end = argc == 2 ? argv[1] + std::strlen(argv[1]) : nullptr;
  if (argc != 2 || std::from_chars(argv[1], end, days).ptr != end || days < 1) {
    std::fputs("usage: generate DAYS > FILE\n", stderr);
    return 2;
  }
  example::Random random(20260301);
  constexpr double population = 12000, infection = 0.38, recovery = 0.2;
  constexpr int steps = 1000;
  double susceptible = 1 - 4e-4, infectious = 4e-4;
  std::puts("day,cases");
  for (int day = 1; day <= days; ++day) {
    const double before = susceptible;
    for (int k = 0; k < steps; ++k) {  // the midpoint rule
      const double s = susceptible - infection * susceptible * infectious / (2 * steps);
      const double i = infectious + (infection * susceptible - recovery) * infectious / (2 * steps);
      susceptible -= infection * s * i / steps;
      infectious += (infection * s - recovery) * i / steps;
    }
    std::printf("%d,%d\n", day, poisson(random, population * (before - susceptible)));
  }
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}
