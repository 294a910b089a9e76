// Writes a CSV file for either model: logistic regression of the last column, or a mixture in the first one.
// generate ROWS > FILE; the same ROWS give the same bytes. 10 000 000 rows are 420 MB.
#include "../../common/random.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  std::int64_t rows = 0;
  const char* const end = argc == 2 ? argv[1] + std::strlen(argv[1]) : nullptr;
  if (argc != 2 || std::from_chars(argv[1], end, rows).ptr != end || rows < 1) {
    std::fputs("usage: generate ROWS > FILE\n", stderr);
    return 2;
  }
  example::Random random(20261122);
  std::puts("size,age,load,dose,failed");
  for (std::int64_t i = 0; i < rows; ++i) {
    const double size = random.uniform() < 0.4 ? random.normal(-1.5, 0.6) : random.normal(1.2, 0.9);
    const double age = random.normal(), load = random.normal(), dose = random.normal();
    const double odds = std::exp(0.8 * size - 0.5 * age + 1.1 * load + 0.3 * dose - 0.4);
    std::printf("%.5f,%.5f,%.5f,%.5f,%d\n", size, age, load, dose, random.uniform() < odds / (1 + odds) ? 1 : 0);
  }
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}
