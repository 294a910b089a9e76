#include "machine.hpp"

namespace boltzmann_machine {

// The probabilities of the states are weights, not differentiated: behind the stop.
Parameters exact_gradient(const Parameters& at, const matrix& data, const matrix& states) {
  constexpr auto all = tapeless::variable<"all">;
  constexpr auto probability = softmax<0>(-free_energy(all));
  constexpr auto loss = mean(free_energy(V)) - dot(stop_gradient(probability), free_energy(all));
  constexpr auto step = gradient(loss, tapeless::wrt(W, b, c));
  const auto g = step(V = data, all = states, W = at.weights, b = at.visible_bias, c = at.hidden_bias);
  return {g[W], g[b], g[c]};
}

vector free_energies(const Parameters& at, const matrix& data) {
  return free_energy(V)(V = data, W = at.weights, b = at.visible_bias, c = at.hidden_bias);
}

}  // namespace boltzmann_machine
