// Iteratively reweighted least squares: the robust location m of data y_i under the loss sum sqrt(1 + (y_i - m)^2).
//
//   w_i = stop(1 / sqrt(1 + (y_i - m)^2)),    L = 1/2 sum w_i (y_i - m)^2
//
// L has the gradient of the robust loss, -sum w_i (y_i - m), and the Hessian sum w_i of weighted least squares, which
// is larger than its own, sum w_i^3; so each Newton step on L is the weighted mean, and none overshoots.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr std::array data{1.0, 1.3, 2.2, 2.4, 30.0};

constexpr auto robust = [](auto m) {
  decltype(m) sum = 0.0;
  for (const double y : data) sum += sqrt(1 + square(y - m));
  return sum;
};
constexpr auto reweighted = [](auto m) {
  decltype(m) sum = 0.0;
  for (const double y : data) sum += stop_gradient(1 / sqrt(1 + square(y - m))) * square(y - m) / 2;
  return sum;
};

}  // namespace

int main() {
  double m = 10;
  bool right = true;
  for (int step = 0; step < 200; ++step) {
    double weights = 0, weighted = 0;
    for (const double y : data) {
      const double w = 1 / std::sqrt(1 + (y - m) * (y - m));
      weights += w;
      weighted += w * y;
    }
    const double slope = gradient(reweighted)(m), curvature = hessian(reweighted)(m)[0][0];
    right =
        right && agree(slope, gradient(robust)(m)) && agree(curvature, weights) && curvature > hessian(robust)(m)[0][0];
    m -= slope / curvature;
    right = right && agree(m, weighted / weights);
  }
  // The minimiser by bisection.
  double low = 1, high = 30;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    double slope = 0;
    for (const double y : data) slope += (middle - y) / std::sqrt(1 + (middle - y) * (middle - y));
    (slope < 0 ? low : high) = middle;
  }
  std::printf("IRLS: robust location %.12f, by bisection %.12f; the mean is 7.38\n", m, low);
  return right && agree(m, low, 1e-10) ? 0 : 1;
}
