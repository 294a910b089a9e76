#pragma once

#include "parameters.hpp"

#include <cmath>
#include <cstddef>

namespace expectation_maximization {

/// The M-step in closed form (Dempster, Laird and Rubin 1977), by hand: nothing here uses a derivative. The weights
/// are the means of the responsibilities R, components x rows; means and covariances are weighted by them.
inline Parameters closed_form(const Data& data, const Matrix& R) {
  const std::size_t components = R.shape(0);
  const std::size_t d = data.dimensions();
  const std::size_t n = data.rows();
  Parameters result{Vector::from_shape({components}), xt::zeros<double>({components, d}),
                    xt::zeros<double>({components, d, d})};
  for (std::size_t k = 0; k < components; ++k) {
    double count = 0;
    for (std::size_t row = 0; row < n; ++row) {
      count += R(k, row);
    }
    result.a(k) = std::log(count / static_cast<double>(n));
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t row = 0; row < n; ++row) {
        result.m(k, i) += R(k, row) * data.X(i, row) / count;
      }
    }
    // Cholesky's factor of the covariance; P is its inverse.
    Factor L(d);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t row = 0; row < n; ++row) {
          sum += R(k, row) * (data.X(i, row) - result.m(k, i)) * (data.X(j, row) - result.m(k, j)) / count;
        }
        for (std::size_t l = 0; l < j; ++l) {
          sum -= L(i, l) * L(j, l);
        }
        L(i, j) = i == j ? std::sqrt(sum) : sum / L(j, j);
      }
    }
    const Factor P = inverse(L);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        result.A(k, i, j) = i == j ? std::log(P(i, i)) : P(i, j);
      }
    }
  }
  check_not_collapsed(result);
  return result;
}

}  // namespace expectation_maximization
