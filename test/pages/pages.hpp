#ifndef TAPELESS_TEST_PAGES_HPP
#define TAPELESS_TEST_PAGES_HPP

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <source_location>

/// Runs what a page shows.
void tensors_page();
void libraries_page();
void tensorflow_page();

/// Ends the program where a block has not done what its page says.
inline void expect(bool met, std::source_location where = std::source_location::current()) {
  if (met) return;
  std::fprintf(stderr, "%s:%u: not as on the page\n", where.file_name(), static_cast<unsigned>(where.line()));
  std::exit(1);
}
inline bool nearly(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

#endif
