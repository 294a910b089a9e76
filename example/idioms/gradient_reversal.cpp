// Gradient reversal: a feature f = w x that is good for a task and useless for telling the domain.
//
//   L = (u f - y)^2 + softplus(v R(f)),    R(f) = f, with derivative -k:  f = (1 + k) stop(f) - k f
//
// One descent step trains the domain classifier v to do better and the feature w to make it do worse:
//
//   dL/dw = (2 u (u f - y) - k v sigmoid(v f)) x,    dL/du = 2 f (u f - y),    dL/dv = f sigmoid(v f)
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>
#include <tuple>

using namespace tapeless;

namespace {

constexpr double strength = 0.7;

constexpr auto loss = [](auto w, auto u, auto v, auto x, auto y) {
  const auto f = w * x;
  return square(u * f - y) + softplus(v * grad_scale(f, -strength));
};
// The same by stops alone.
constexpr auto by_stops = [](auto w, auto u, auto v, auto x, auto y) {
  const auto f = w * x;
  return square(u * f - y) + softplus(v * ((1 + strength) * stop_gradient(f) - strength * f));
};

}  // namespace

int main() {
  const double w = 0.8, u = 1.2, v = -0.5, x = 1.5, y = 0.4, f = w * x, s = 1 / (1 + std::exp(-v * f));
  const auto [by_w, by_u, by_v] = gradient(loss, wrt<0, 1, 2>)(w, u, v, x, y);
  const auto [stops_w, stops_u, stops_v] = gradient(by_stops, wrt<0, 1, 2>)(w, u, v, x, y);
  std::printf("gradient reversal: feature %.4f, task %.4f, domain %.4f\n", by_w, by_u, by_v);
  const bool right = agree(by_w, (2 * u * (u * f - y) - strength * v * s) * x) && agree(by_u, 2 * f * (u * f - y)) &&
                     agree(by_v, f * s) && agree(by_w, stops_w) && agree(by_u, stops_u) && agree(by_v, stops_v) &&
                     agree(gradient([](auto a) { return grad_reverse(a) * a; })(3.0), 0);
  return right ? 0 : 1;
}
