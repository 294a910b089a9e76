// First-order MAML: parameters t from which one or two gradient steps on a task's data do well on new data of it.
//
//   t' = t - k stop(dA/dt),    L = B(t'),    A = c (t - a)^2 / 2,    B = (t' - b)^2 / 2
//
// The stop drops the derivative of the inner gradient. By n inner steps:
//
//   MAML dL/dt = (1 - k c)^n (t' - b),    first order dL/dt = t' - b
#include "agree.hpp"

#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>

using namespace tapeless;

namespace {

constexpr double rate = 0.1, curvature = 3.0, optimum = 1.0, wanted = 2.5;
constexpr int inner_steps = 2;

constexpr auto inner = [](auto t) { return curvature * square(t - optimum) / 2; };
constexpr auto outer = [](const auto& t) { return square(t - wanted) / 2; };
constexpr auto maml = [](auto t) {
  for (int i = 0; i < inner_steps; ++i) t = t - rate * gradient(inner)(t);
  return outer(t);
};
constexpr auto first_order = [](auto t) {
  for (int i = 0; i < inner_steps; ++i) t = t - rate * stop_gradient(gradient(inner)(t));
  return outer(t);
};

}  // namespace

int main() {
  const double t = 0.2, factor = std::pow(1 - rate * curvature, inner_steps);
  const double adapted = optimum + factor * (t - optimum);
  const auto [loss, meta] = value_and_gradient(maml)(t);
  const auto [same_loss, first] = value_and_gradient(first_order)(t);
  std::printf("MAML: t' = %.4f, meta-gradient %.6f, first order %.6f\n", adapted, meta, first);
  const bool right = agree(loss, (adapted - wanted) * (adapted - wanted) / 2) && agree(loss, same_loss) &&
                     agree(meta, factor * (adapted - wanted)) && agree(first, adapted - wanted);
  return right ? 0 : 1;
}
