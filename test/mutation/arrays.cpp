// Formulas over tensors, against loops by hand and their differences: what ./dev mutate runs.
#include "tensors.hpp"

using namespace check;

int main() {
  // Rows normalised by their mean and deviation.
  const auto centred = X - mean<1>(X, keep_dims);
  verify("normalised", sum(a * (centred / sqrt(mean<1>(square(centred), keep_dims) + 0.1)) * expand_dims<1>(sin(b))),
         [](const numbers& x, const numbers& p, const numbers& q) {
           return along(rows, [&](std::size_t i) {
             const double m = along(columns, [&](std::size_t j) { return x[i * columns + j]; }) / columns;
             const double v =
                 along(columns, [&](std::size_t j) { return std::pow(x[i * columns + j] - m, 2); }) / columns;
             return along(columns, [&](std::size_t j) {
               return p[j] * (x[i * columns + j] - m) / std::sqrt(v + 0.1) * std::sin(q[i]);
             });
           });
         });
  // Elements that are taken, one twice, slices side by side, a mask.
  verify(
      "moves",
      sum(square(take(b, k) - take(b * b, k) * a)) + sum(exp(concatenate<0>(slice<0>(b, 1, 4), a)) * 0.5) +
          sum(where(X > 0.1, X * a, 0.3 * X)),
      [](const numbers& x, const numbers& p, const numbers& q) {
        double sum = 0;
        for (std::size_t j = 0; j < columns; ++j) {
          const double t = q[static_cast<std::size_t>(chosen[j])];
          sum += std::pow(t - t * t * p[j], 2) + 0.5 * std::exp(q[j + 1]) + 0.5 * std::exp(p[j]);
        }
        return sum +
               over([&](std::size_t, std::size_t j, std::size_t n) { return x[n] > 0.1 ? x[n] * p[j] : 0.3 * x[n]; });
      },
      k = chosen);
  // Products of matrices, and a tensor's own transpose.
  verify("products",
         sum(tanh(dot(X, transpose(X)))) + dot(b, dot(X, a)) + sum(square(dot(transpose(X), b) / (1 + a * a))),
         [](const numbers& x, const numbers& p, const numbers& q) {
           double sum = 0;
           for (std::size_t i = 0; i < rows; ++i)
             for (std::size_t l = 0; l < rows; ++l)
               sum += std::tanh(along(columns, [&](std::size_t j) { return x[i * columns + j] * x[l * columns + j]; }));
           for (std::size_t j = 0; j < columns; ++j) {
             const double c = along(rows, [&](std::size_t i) { return x[i * columns + j] * q[i]; });
             sum += c * p[j] + std::pow(c / (1 + p[j] * p[j]), 2);
           }
           return sum;
         });
  // Extremes, a logarithm of a sum of exponentials, and a product.
  verify("extremes", sum(square(logsumexp<1>(X * a) - b)) + amax(X) * sum(a) + prod(b + 2) + sum(amin<0>(X) * a),
         [](const numbers& x, const numbers& p, const numbers& q) {
           double sum = 0, product = 1, largest = x[0], total = 0;
           for (std::size_t i = 0; i < rows; ++i) {
             sum += std::pow(
                 std::log(along(columns, [&](std::size_t j) { return std::exp(x[i * columns + j] * p[j]); })) - q[i],
                 2);
             product *= q[i] + 2;
           }
           for (const double e : x) largest = std::max(largest, e);
           for (std::size_t j = 0; j < columns; ++j) {
             double least = x[j];
             for (std::size_t i = 0; i < rows; ++i) least = std::min(least, x[i * columns + j]);
             sum += least * p[j], total += p[j];
           }
           return sum + product + largest * total;
         });
}
