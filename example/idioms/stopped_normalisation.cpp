// Batch renormalisation: a batch x with mean mu and deviation s, normalised by moving averages M and S.
//
//   y_i = (x_i - mu) / s stop(s / S) + stop((mu - M) / S)
//
// has the value (x_i - M) / S, by which the network will be used, and the derivative of batch normalisation times s /
// S:
//
//   dy_i/dx_j = (d_ij - 1/n - z_i z_j / n) / S,    z = (x - mu) / s
//
// Without the stops the factors cancel and dy_i/dx_j = d_ij / S: nothing would hold mean and deviation of the batch.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr double moving_mean = 0.5, moving_deviation = 1.7;

constexpr auto renormalise = [](auto x) {
  const auto mean = (x[0] + x[1] + x[2]) / 3;
  const auto deviation = sqrt((square(x[0] - mean) + square(x[1] - mean) + square(x[2] - mean)) / 3);
  const auto ratio = stop_gradient(deviation / moving_deviation);
  const auto shift = stop_gradient((mean - moving_mean) / moving_deviation);
  auto y = x;
  for (auto& entry : y) entry = (entry - mean) / deviation * ratio + shift;
  return y;
};

}  // namespace

int main() {
  const std::array x{1.0, -0.5, 2.2};
  const auto [y, j] = value_and_jacobian(renormalise)(x);
  const double mean = (x[0] + x[1] + x[2]) / 3;
  double variance = 0;
  for (const double entry : x) variance += (entry - mean) * (entry - mean) / 3;
  bool right = true;
  double row = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    right = right && agree(y[i], (x[i] - moving_mean) / moving_deviation);
    row += j[0][i];
    for (std::size_t k = 0; k < 3; ++k) {
      const double product = (x[i] - mean) * (x[k] - mean) / variance;
      right = right && agree(j[i][k], ((i == k ? 1.0 : 0.0) - (1 + product) / 3) / moving_deviation);
    }
  }
  std::printf("batch renormalisation: y_0 = %.6f by moving averages; a common shift has derivative %.0e\n", y[0],
              std::abs(row));
  return right && agree(row, 0) ? 0 : 1;
}
