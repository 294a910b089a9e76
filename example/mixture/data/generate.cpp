// Writes a CSV file like the record of a geyser: a short or a long eruption and the wait after it.
// generate ROWS > FILE; the same ROWS give the same bytes (500 give geyser.csv).
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numbers>
#include <random>

namespace {

// Box and Muller's method: the standard fixes the engine's numbers, but not those of std::normal_distribution.
class Normal {
 public:
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  double operator()(double mean, double sd) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return mean + sd * radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 engine_{20260721};
};

}  // namespace

int main(int argc, char** argv) {
  std::int64_t rows = 0;
  const char* const end = argc == 2 ? argv[1] + std::strlen(argv[1]) : nullptr;
  if (argc != 2 || std::from_chars(argv[1], end, rows).ptr != end || rows < 1) {
    std::fputs("usage: generate ROWS > FILE\n", stderr);
    return 2;
  }
  Normal normal;
  std::puts("eruption_min,wait_min");
  for (std::int64_t i = 0; i < rows; ++i) {
    const bool is_short = normal.uniform() < 0.36;
    const double eruption = is_short ? normal(2.1, 0.35) : normal(4.2, 0.5);
    const double wait = is_short ? normal(55, 6) : normal(80, 6);
    std::printf("%.3f,%.1f\n", eruption, wait);
  }
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}
