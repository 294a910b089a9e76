#include "machine.hpp"

namespace boltzmann_machine {

Parameters not_stopped_gradient(const Parameters& at, const matrix& data, const matrix& hidden) {
  constexpr auto step = gradient(divergence_not_stopped, tapeless::wrt(W, b, c));
  const auto g = step(V = data, H = hidden, W = at.weights, b = at.visible_bias, c = at.hidden_bias);
  return {g[W], g[b], g[c]};
}

}  // namespace boltzmann_machine
