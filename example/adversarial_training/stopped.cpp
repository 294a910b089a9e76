#include "network.hpp"

namespace adversarial_training {

Parameters stopped_gradient(const Parameters& at, const Batch& batch, double length) {
  constexpr auto step = gradient(stopped_loss, tapeless::wrt(A, a, u, c));
  const auto g = step(X = batch.points, P = batch.seen_from, s = batch.classes, A = at.hidden_weights,
                      a = at.hidden_bias, u = at.output_weights, c = at.output_bias, radius = length);
  return {g[A], g[a], g[u], g[c]};
}

}  // namespace adversarial_training
