#include "network.hpp"

namespace adversarial_training {

Parameters plain_gradient(const Parameters& at, const Batch& batch, double /*length*/) {
  constexpr auto step = gradient(plain_loss, tapeless::wrt(A, a, u, c));
  const auto g = step(X = batch.points, s = batch.classes, A = at.hidden_weights, a = at.hidden_bias,
                      u = at.output_weights, c = at.output_bias);
  return {g[A], g[a], g[u], g[c]};
}

vector logits(const Parameters& at, const matrix& points) {
  return logit(X)(X = points, A = at.hidden_weights, a = at.hidden_bias, u = at.output_weights, c = at.output_bias);
}

matrix attacks(const Parameters& at, const matrix& points, const vector& classes, double length) {
  return attack(X)(X = points, s = classes, A = at.hidden_weights, a = at.hidden_bias, u = at.output_weights,
                   radius = length);
}

}  // namespace adversarial_training
