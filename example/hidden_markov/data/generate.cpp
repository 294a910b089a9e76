// Writes a CSV file like the daily returns of an index, in per cent: calm, nervous and falling markets.
// generate ROWS > FILE; the same ROWS give the same bytes (1500 give returns.csv).
#include "../../common/generator.hpp"
#include "../../common/random.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

int main(int argc, char** argv) {
  return example::generate(argc, argv, [](int days) {
    example::Random random(20260412);
    constexpr std::array<std::array<double, 3>, 3> step{{{0.975, 0.02, 0.005}, {0.03, 0.95, 0.02}, {0.01, 0.09, 0.9}}};
    constexpr std::array<double, 3> mean{0.08, 0.02, -0.9}, deviation{0.45, 1.1, 2.2};
    std::size_t state = 0;
    std::puts("day,return");
    for (int day = 1; day <= days; ++day) {
      std::printf("%d,%.3f\n", day, random.normal(mean[state], deviation[state]));
      const double u = random.uniform();
      state = u < step[state][0] ? 0 : u < step[state][0] + step[state][1] ? 1 : 2;
    }
  });
}
