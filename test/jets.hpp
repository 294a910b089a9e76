#pragma once

#include "random_sequence.hpp"

#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

/// Derivatives that follow the chosen paths alone, for tests of selections.
namespace tapeless_test {

/// A derivative that is a sum over chosen paths; of none it is absent, and stays so whatever it is multiplied by.
using slope = std::optional<double>;
inline slope operator+(const slope& a, const slope& b) { return a && b ? slope(*a + *b) : a ? a : b; }
inline slope operator*(double factor, const slope& a) { return a ? slope(factor * *a) : a; }
inline slope operator*(const slope& a, const slope& b) { return a && b ? slope(*a * *b) : slope(); }

/// A value, its derivatives in two directions and their mixed second derivative.
struct jet {
  double value;
  slope first, second, mixed;
  jet(double constant = 0) : value(constant) {}
  template <std::intmax_t N>
  jet(tapeless::Constant<N, 1>) : value(static_cast<double>(N)) {}
  jet(double v, slope a, slope b, slope ab) : value(v), first(a), second(b), mixed(ab) {}
};
inline jet scaled(double value, double factor, const jet& u) {
  return {value, factor * u.first, factor * u.second, factor * u.mixed};
}
inline jet absent(double value) { return {value}; }
inline jet operator+(const jet& a, const jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second, a.mixed + b.mixed};
}
inline jet operator-(const jet& a, const jet& b) {
  jet sum = a + scaled(b.value, -1, b);
  sum.value = a.value - b.value;
  return sum;
}
inline jet operator*(const jet& a, const jet& b) {
  return {a.value * b.value, b.value * a.first + a.value * b.first, b.value * a.second + a.value * b.second,
          b.value * a.mixed + a.first * b.second + a.second * b.first + a.value * b.mixed};
}
/// f(u) with f' and f''.
inline jet chain(double value, double first, double second, const jet& u) {
  return {value, first * u.first, first * u.second, first * u.mixed + second * (u.first * u.second)};
}
inline jet operator/(const jet& a, const jet& b) {
  const double r = 1 / b.value;
  jet quotient = a * chain(r, -r * r, 2 * r * r * r, b);
  quotient.value = a.value / b.value;
  return quotient;
}
inline jet sqrt(const jet& u) {
  const double y = std::sqrt(u.value);
  return chain(y, 0.5 / y, -0.25 / (y * y * y), u);
}
inline jet log(const jet& u) { return chain(std::log(u.value), 1 / u.value, -1 / (u.value * u.value), u); }
inline jet exp(const jet& u) { return chain(std::exp(u.value), std::exp(u.value), std::exp(u.value), u); }
inline jet hypot(const jet& a, const jet& b) {
  const double r = std::hypot(a.value, b.value);
  if (r == 0) return absent(r);
  const double x = a.value / r, y = b.value / r;
  const slope along = x * a.first + y * b.first, other = x * a.second + y * b.second;
  return {r, along, other,
          x * a.mixed + y * b.mixed + 1 / r * (a.first * a.second + b.first * b.second + -1.0 * (along * other))};
}
inline jet relu(const jet& u) { return u.value > 0 ? u : absent(u.value <= 0 ? 0 : u.value); }
inline jet abs(const jet& u) { return u.value == 0 ? absent(0) : scaled(std::abs(u.value), u.value < 0 ? -1 : 1, u); }
inline jet chosen_of(double value, const jet& a, const jet& b) {
  if (a.value == value && b.value == value) {
    jet sum = scaled(value / 2, 0.5, a) + scaled(value / 2, 0.5, b);
    sum.value = value;
    return sum;
  }
  return a.value == value ? a : b.value == value ? b : absent(value);
}
inline jet max(const jet& a, const jet& b) {
  const bool ordered = a.value == a.value && b.value == b.value;
  return chosen_of(ordered ? std::max(a.value, b.value) : std::numeric_limits<double>::quiet_NaN(), a, b);
}
inline jet min(const jet& a, const jet& b) {
  const bool ordered = a.value == a.value && b.value == b.value;
  return chosen_of(ordered ? std::min(a.value, b.value) : std::numeric_limits<double>::quiet_NaN(), a, b);
}
inline jet clamp(const jet& u, const jet& low, const jet& high) { return min(max(u, low), high); }
inline jet where(bool condition, const jet& a, const jet& b) { return condition ? a : b; }
inline bool operator<(const jet& a, const jet& b) { return a.value < b.value; }
inline bool operator>(const jet& a, const jet& b) { return a.value > b.value; }

inline bool same(double found, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(found);
  return found == expected || std::abs(found - expected) <= tolerance * (1 + std::abs(expected));
}

}  // namespace tapeless_test
