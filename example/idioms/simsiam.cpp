// SimSiam: two views x, y of one picture, an encoder z = (w0 x0, w1 x1), a predictor p = (z0 + h z1, z1 - h z0).
//
//   D(p, z) = -cos(p, stop(z)),    L = D(p(x), z(y)) / 2 + D(p(y), z(x)) / 2
//
//   dD/dp = -(z/|z| - cos p/|p|) / |p|,    dD/dz = 0
//
// Each view predicts the other's code, and none is drawn towards the prediction: without the stop codes collapse.
// The whole loss is checked against differences in which the stopped codes are held.
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

using namespace tapeless;

namespace {

constexpr auto negative_cosine = [](auto p, auto z) {
  return -(p[0] * z[0] + p[1] * z[1]) / (norm(p[0], p[1]) * norm(z[0], z[1]));
};
constexpr auto distance = [](auto p, auto z) { return negative_cosine(p, stop_gradient(z)); };

constexpr auto encode = [](const auto& w, const auto& x) { return std::array{w[0] * x[0], w[1] * x[1]}; };
constexpr auto predict = [](const auto& h, const auto& z) { return std::array{z[0] + h * z[1], z[1] - h * z[0]}; };
constexpr auto loss = [](auto w, auto h, auto x, auto y) {
  const auto of_x = encode(w, x), of_y = encode(w, y);
  return (distance(predict(h, of_x), of_y) + distance(predict(h, of_y), of_x)) / 2;
};
constexpr auto not_stopped = [](auto w, auto h, auto x, auto y) {
  const auto of_x = encode(w, x), of_y = encode(w, y);
  return (negative_cosine(predict(h, of_x), of_y) + negative_cosine(predict(h, of_y), of_x)) / 2;
};

}  // namespace

int main() {
  const std::array w{0.9, 1.3}, x{1.0, 0.4}, y{0.7, 0.8};
  const double h = 0.2;
  const auto [by_p, by_z] = gradient(distance)(x, y);
  const double length = std::hypot(x[0], x[1]), other = std::hypot(y[0], y[1]);
  const double cosine = (x[0] * y[0] + x[1] * y[1]) / (length * other);
  bool right = true;
  for (std::size_t i = 0; i < 2; ++i)
    right = right && agree(by_p[i], -(y[i] / other - cosine * x[i] / length) / length) && by_z[i] == 0;

  const auto report = check_gradient(loss)(w, h, x, y);
  const auto stopped = gradient(loss, wrt<0>)(w, h, x, y), moved = gradient(not_stopped, wrt<0>)(w, h, x, y);
  std::printf("SimSiam: by w (%.4f, %.4f), differences agree to %.0e; without the stop (%.4f, %.4f)\n", stopped[0],
              stopped[1], report.largest_error(), moved[0], moved[1]);
  return right && report.passed(1e-8) && !agree(stopped[0], moved[0], 1e-3) ? 0 : 1;
}
