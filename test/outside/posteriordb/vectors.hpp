#pragma once

#include <tapeless/xtensor.hpp>
#include "nuts.hpp"
#include "problem.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

/// What the transformed data of models need.
namespace posteriordb {

/// The parameters of which the last is free as a logarithm.
inline constexpr auto last_positive = [](Vector u) {
  u.back() = std::exp(u.back());
  return u;
};

inline Vector operator*(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
  return a;
}
inline Vector operator/(Vector a, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] /= b[i];
  return a;
}
inline Vector operator-(Vector a, double b) {
  for (double& x : a) x -= b;
  return a;
}
inline Vector operator/(Vector a, double b) {
  for (double& x : a) x /= b;
  return a;
}
inline Vector operator==(Vector a, double b) {
  for (double& x : a) x = x == b;
  return a;
}
inline Vector log_of(Vector a) {
  for (double& x : a) x = std::log(x);
  return a;
}
inline double mean_of(const Vector& a) { return std::reduce(a.begin(), a.end()) / static_cast<double>(a.size()); }
inline double deviation_of(const Vector& a) {
  const Vector from = a - mean_of(a);
  return std::sqrt(std::inner_product(from.begin(), from.end(), from.begin(), 0.0) / static_cast<double>(a.size() - 1));
}

/// The rows of a matrix.
inline xt::xtensor<double, 2> rows(const std::vector<Vector>& of) {
  xt::xtensor<double, 2> values({of.size(), of[0].size()});
  for (std::size_t i = 0; i < of.size(); ++i) std::copy(of[i].begin(), of[i].end(), &values(i, 0));
  return values;
}

/// The columns of a matrix.
inline std::vector<Vector> columns(const Entry& of) {
  std::vector<Vector> values(of.extents.at(1), Vector(of.extents[0]));
  for (std::size_t i = 0; i < of.numbers.size(); ++i) values[i % values.size()][i / values.size()] = of.numbers[i];
  return values;
}

}  // namespace posteriordb
