// Writes a CSV file like the record of a geyser: a short or a long eruption and the wait after it.
// generate ROWS > FILE; the same ROWS give the same bytes (500 give geyser.csv).
#include "../../common/generator.hpp"
#include "../../common/random.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  return example::generate(argc, argv, [](int rows) {
    example::Random random(20260721);
    std::puts("eruption_min,wait_min");
    for (int i = 0; i < rows; ++i) {
      const bool is_short = random.uniform() < 0.36;
      const double eruption = is_short ? random.normal(2.1, 0.35) : random.normal(4.2, 0.5);
      const double wait = is_short ? random.normal(55, 6) : random.normal(80, 6);
      std::printf("%.3f,%.1f\n", eruption, wait);
    }
  });
}
