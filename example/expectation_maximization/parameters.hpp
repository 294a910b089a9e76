#pragma once

#include "../common/error.hpp"
#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace expectation_maximization {

using example::Error;

/// A component's lower triangular P, row by row.
struct Factor {
  std::size_t size;
  std::vector<double> entries;

  explicit Factor(std::size_t d) : size(d), entries(d * d) {}
  double& operator()(std::size_t i, std::size_t j) { return entries[i * size + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries[i * size + j]; }
};

inline Factor factor(const Parameters& p, std::size_t k) {
  Factor result(p.dimensions());
  for (std::size_t i = 0; i < result.size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      result(i, j) = p.A(k, i, j);
    }
    result(i, i) = std::exp(p.A(k, i, i));
  }
  return result;
}

inline Factor inverse(const Factor& L) {
  Factor result(L.size);
  for (std::size_t j = 0; j < L.size; ++j) {
    for (std::size_t i = j; i < L.size; ++i) {
      double sum = i == j ? 1 : 0;
      for (std::size_t l = j; l < i; ++l) {
        sum -= L(i, l) * result(l, j);
      }
      result(i, j) = sum / L(i, i);
    }
  }
  return result;
}

inline Factor product(const Factor& L, const Factor& M) {
  Factor result(L.size);
  for (std::size_t i = 0; i < L.size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t l = j; l <= i; ++l) {
        result(i, j) += L(i, l) * M(l, j);
      }
    }
  }
  return result;
}

inline Vector weights(const Parameters& p) {
  Vector result = p.a;
  double largest = p.a(0);
  for (const double e : p.a) {
    largest = std::max(largest, e);
  }
  double sum = 0;
  for (double& e : result) {
    sum += e = std::exp(e - largest);
  }
  for (double& e : result) {
    e /= sum;
  }
  return result;
}

/// The largest difference of two fits, in standard deviations: of the logarithms of the weights, the means and P.
inline double distance(const Parameters& p, const Parameters& q) {
  double result = 0;
  const Vector left = weights(p);
  const Vector right = weights(q);
  for (std::size_t k = 0; k < p.components(); ++k) {
    result = std::max(result, std::abs(std::log(left(k) / right(k))));
    const Factor P = factor(p, k);
    const Factor ratio = product(factor(q, k), inverse(P));
    for (std::size_t i = 0; i < P.size; ++i) {
      double shift = 0;
      for (std::size_t j = 0; j <= i; ++j) {
        shift += P(i, j) * (p.m(k, j) - q.m(k, j));
        result = std::max(result, std::abs(ratio(i, j) - (i == j ? 1 : 0)));
      }
      result = std::max(result, std::abs(shift));
    }
  }
  return result;
}

/// The likelihood of a mixture grows without bound as a component shrinks onto a point, or in the limit onto a line.
/// The data have standard deviations of 1.
inline void check_not_collapsed(const Parameters& p) {
  for (std::size_t k = 0; k < p.components(); ++k) {
    bool fits = std::isfinite(p.a(k));
    for (std::size_t i = 0; i < p.dimensions(); ++i) {
      fits = fits && p.A(k, i, i) < std::log(1e6) && std::isfinite(p.m(k, i));
      for (std::size_t j = 0; j <= i; ++j) {
        fits = fits && std::isfinite(p.A(k, i, j));
      }
    }
    if (!fits) {
      throw Error(
          "a component has collapsed onto few rows, or columns depend on each other: the likelihood has no "
          "maximum; try fewer components or another seed");
    }
  }
}

}  // namespace expectation_maximization
