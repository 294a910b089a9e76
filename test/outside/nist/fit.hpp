#pragma once

#include <Eigen/QR>

#include <cmath>
#include <limits>
#include <utility>

namespace nist {

struct Residuals {
  Eigen::VectorXd values;
  Eigen::MatrixXd jacobian;
};

struct Fit {
  Eigen::VectorXd parameters, deviations;
  double sum_of_squares;
  int evaluations;
};

/// Least squares by Levenberg and Marquardt's method, with Moré's scaling. `at(b)` gives the Residuals. In the end come
/// Gauss-Newton steps until they are short: the sum of squares does not tell more than half of the
/// digits.
template <class At>
Fit fit(const At& at, Eigen::VectorXd b) {
  Residuals r = at(b);
  int evaluations = 1;
  double cost = r.values.squaredNorm();
  const Eigen::Index m = r.jacobian.rows(), n = r.jacobian.cols();
  Eigen::VectorXd scale = Eigen::VectorXd::Zero(n);
  for (double damping = 100; evaluations < 10000 && damping < 1e30; ++evaluations) {
    scale = scale.cwiseMax(r.jacobian.colwise().norm().transpose());
    Eigen::MatrixXd damped(m + n, n);
    damped << r.jacobian, (std::sqrt(damping) * scale).asDiagonal().toDenseMatrix();
    Eigen::VectorXd residuals = Eigen::VectorXd::Zero(m + n);
    residuals.head(m) = r.values;
    const Eigen::VectorXd step = -damped.colPivHouseholderQr().solve(residuals);
    if (step.cwiseQuotient(b).lpNorm<Eigen::Infinity>() < 1e-12) break;
    Residuals next = at(b + step);
    const double moved = next.values.squaredNorm();
    if (moved < cost)
      cost = moved, b += step, r = std::move(next), damping /= 10;
    else
      damping *= 10;
  }
  for (int i = 0; i < 100; ++i, ++evaluations) {
    const Eigen::VectorXd step = -r.jacobian.colPivHouseholderQr().solve(r.values);
    if (step.cwiseQuotient(b).lpNorm<Eigen::Infinity>() < 1e-13) break;
    b += step, r = at(b);
  }
  // The covariance is s^2 (J'J)^-1 = s^2 P R^-1 R^-T P', s^2 the sum of squares over the degrees of freedom.
  cost = r.values.squaredNorm();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(r.jacobian);
  const Eigen::MatrixXd inverse =
      qr.matrixR().topRows(n).triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(n, n));
  const Eigen::VectorXd lengths = qr.colsPermutation() * inverse.rowwise().norm();
  return {b, std::sqrt(cost / static_cast<double>(m - n)) * lengths, cost, evaluations};
}

}  // namespace nist
