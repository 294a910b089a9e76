// Writes a CSV file like the record of a geyser: a short or a long eruption and the wait after it.
// generate ROWS > FILE; the same ROWS give the same bytes (500 give geyser.csv).
#include "../../common/random.hpp"

#include <charconv>
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
  example::Random random(20260721);
  std::puts("eruption_min,wait_min");
  for (std::int64_t i = 0; i < rows; ++i) {
    const bool is_short = random.uniform() < 0.36;
    const double eruption = is_short ? random.normal(2.1, 0.35) : random.normal(4.2, 0.5);
    const double wait = is_short ? random.normal(55, 6) : random.normal(80, 6);
    std::printf("%.3f,%.1f\n", eruption, wait);
  }
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}
