// Writes a CSV file like the record of an epidemic among 12000 people: reported cases on each of its first days.
// generate ROWS > FILE; the same ROWS give the same bytes (100 give outbreak.csv).
#include "../../common/generator.hpp"
#include "../../common/random.hpp"

#include <cmath>
#include <cstdio>

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
  return example::generate(argc, argv, [](int days) {
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
  });
}
