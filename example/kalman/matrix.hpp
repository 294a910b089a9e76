#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace kalman {

template <std::size_t M, std::size_t N>
using Matrix = std::array<std::array<double, N>, M>;

/// A B
template <std::size_t M, std::size_t K, std::size_t N>
constexpr Matrix<M, N> product(const Matrix<M, K>& a, const Matrix<K, N>& b) {
  Matrix<M, N> result{};
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t j = 0; j < N; ++j) {
        result[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return result;
}

template <std::size_t M, std::size_t N>
constexpr Matrix<N, M> transposed(const Matrix<M, N>& a) {
  Matrix<N, M> result{};
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < N; ++j) {
      result[j][i] = a[i][j];
    }
  }
  return result;
}

/// A C A': the covariance of A x where C is that of x.
template <std::size_t M, std::size_t N>
constexpr Matrix<M, M> spread(const Matrix<M, N>& a, const Matrix<N, N>& c) {
  return product(product(a, c), transposed(a));
}

/// The matrix with the squares of these numbers on its diagonal, and zeros.
template <std::size_t N>
constexpr Matrix<N, N> variances(const std::array<double, N>& standard_deviations) {
  Matrix<N, N> result{};
  for (std::size_t i = 0; i < N; ++i) {
    result[i][i] = standard_deviations[i] * standard_deviations[i];
  }
  return result;
}

/// L, lower triangular, with L L' = C, for a positive definite C: Cholesky's factorisation.
template <std::size_t N>
Matrix<N, N> cholesky(const Matrix<N, N>& c) {
  Matrix<N, N> l{};
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = c[i][j];
      for (std::size_t k = 0; k < j; ++k) {
        sum -= l[i][k] * l[j][k];
      }
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  }
  return l;
}

/// L^-1 b for a lower triangular L.
template <std::size_t N>
std::array<double, N> solve_lower(const Matrix<N, N>& l, std::array<double, N> b) {
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      b[i] -= l[i][k] * b[k];
    }
    b[i] /= l[i][i];
  }
  return b;
}

/// b' C^-1 b for a positive definite C: chi-squared distributed where C is the covariance of a normal b.
template <std::size_t N>
double squared_distance(const std::array<double, N>& b, const Matrix<N, N>& c) {
  double sum = 0;
  for (const double x : solve_lower(cholesky(c), b)) {
    sum += x * x;
  }
  return sum;
}

}  // namespace kalman
