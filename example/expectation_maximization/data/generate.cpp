// Writes a CSV file of points of three kinds in D dimensions: normal distributions that overlap.
// generate ROWS [DIMENSIONS] > FILE; the same numbers give the same bytes (600 give points.csv).
#include "../../common/random.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

bool read(const char* text, std::int64_t most, std::int64_t& number) {
  const char* const end = text + std::strlen(text);
  const auto [stop, status] = std::from_chars(text, end, number);
  return status == std::errc{} && stop == end && number >= 1 && number <= most;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t rows = 0;
  std::int64_t dimensions = 2;
  if (argc < 2 || argc > 3 || !read(argv[1], 1'000'000'000, rows) || (argc == 3 && !read(argv[2], 20, dimensions))) {
    std::fputs("usage: generate ROWS [DIMENSIONS] > FILE\n", stderr);
    return 2;
  }
  const auto d = static_cast<std::size_t>(dimensions);
  example::Random random(20260723);
  for (std::size_t j = 0; j < d; ++j) {
    std::printf("%sx%zu", j == 0 ? "" : ",", j + 1);
  }
  std::puts("");
  std::vector<double> z(d);
  for (std::int64_t i = 0; i < rows; ++i) {
    const double u = random.uniform();
    const std::size_t k = u < 0.5 ? 0 : u < 0.8 ? 1 : 2;
    for (double& e : z) {
      e = random.normal();
    }
    for (std::size_t j = 0; j < d; ++j) {
      // Each kind is turned another way: a coordinate leans on the one before.
      const double angle = 2.1 * static_cast<double>(k) + 1.3 * static_cast<double>(j);
      const double sd = 0.5 + 0.3 * static_cast<double>((j + k) % 3);
      const double lean = j == 0 ? 0 : 0.8 * (static_cast<double>(k) - 1);
      std::printf("%s%.3f", j == 0 ? "" : ",", 1.8 * std::cos(angle) + sd * (z[j] + lean * (j == 0 ? 0 : z[j - 1])));
    }
    std::puts("");
  }
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? 0 : 1;
}
