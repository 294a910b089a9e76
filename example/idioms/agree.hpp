#ifndef EXAMPLE_IDIOMS_AGREE_HPP
#define EXAMPLE_IDIOMS_AGREE_HPP

#include <cmath>

/// Whether two numbers are equal up to rounding.
inline bool agree(double found, double expected, double tolerance = 1e-12) {
  return std::abs(found - expected) <= tolerance * std::fmax(1.0, std::abs(expected));
}

#endif
