#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>

/// Random bodies of loops, for tests, and derivatives of them by complex steps, which have no rounding of differences:
/// df/dx = Im f(x + i h) / h for a function that is analytic (W. Squire and G. Trapp, SIAM Review 40, 1998).
namespace tapeless_test {

using complex_number = std::complex<double>;
inline constexpr double complex_step = 1e-40;

/// Two carries, an element and a parameter go into a pool of values, to which random operations add.
template <unsigned Seed>
struct random_body {
  template <class T>
  constexpr std::array<T, 2> operator()(const std::array<T, 2>& carry, const T& x, const T& p) const {
    using std::cos, std::exp, std::sin, std::sqrt;
    unsigned state = 12345 + 977 * Seed;
    const auto draw = [&](unsigned below) {
      state = state * 1664525u + 1013904223u;
      return (state >> 16) % below;
    };
    std::array<T, 14> pool{carry[0], carry[1], x, p};
    for (unsigned n = 4; n < pool.size(); ++n) {
      const T &a = pool[draw(n)], &b = pool[n - 1 - draw(3)];
      switch (draw(7)) {
        case 0: pool[n] = a + 0.5 * b; break;
        case 1: pool[n] = a - b; break;
        case 2: pool[n] = sin(a) * b; break;
        case 3: pool[n] = cos(a * b); break;
        case 4: pool[n] = exp(-0.1 * a * a) * b; break;
        case 5: pool[n] = a / (1.0 + b * b); break;
        default: pool[n] = sqrt(1.0 + a * a);
      }
    }
    return {0.5 * sin(pool[13] + carry[0]), 0.3 * cos(pool[12]) + 0.1 * pool[11] / (1.0 + pool[11] * pool[11])};
  }
};

/// The loop over `xs` by hand.
template <class Body, class Sequence>
complex_number loop_by_hand(const Body& body, const complex_number& p, const Sequence& xs) {
  std::array<complex_number, 2> carry{p, 0.25};
  for (const auto& x : xs) carry = body(carry, complex_number(x), p);
  return carry[0] + carry[1] * p;
}

}  // namespace tapeless_test
