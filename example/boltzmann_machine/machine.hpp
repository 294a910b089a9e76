#pragma once

#include <tapeless/xtensor.hpp>

namespace boltzmann_machine {

using tapeless::stop_gradient;
using matrix = xt::xtensor<double, 2>;
using vector = xt::xtensor<double, 1>;

/// Weights between visible and hidden units (a row for each visible one), and the biases of either.
struct Parameters {
  matrix weights;
  vector visible_bias;
  vector hidden_bias;
};

inline constexpr auto W = tapeless::variable<"W">;
inline constexpr auto b = tapeless::variable<"b">;
inline constexpr auto c = tapeless::variable<"c">;
inline constexpr auto V = tapeless::variable<"V">;  ///< data: a row of visible units each
inline constexpr auto H = tapeless::variable<"H">;  ///< hidden units of the chains, 0 or 1: a row each
inline constexpr auto U = tapeless::variable<"U">;  ///< uniform random numbers

/// -log of the sum of exp(v b + h c + v W h) over all h: a number for each row v.
inline constexpr auto free_energy = [](const auto& v) { return -dot(v, b) - sum<1>(softplus(c + dot(v, W))); };

/// The probabilities that visible and hidden units are 1, given the others.
inline constexpr auto visible_mean = sigmoid(b + dot(H, transpose(W)));
inline constexpr auto hidden_mean = sigmoid(c + dot(V, W));

/// Contrastive divergence: its gradient lowers the free energy of the data and raises that of what the machine makes up
/// instead. That depends on the parameters, too, but is to be taken as it is: behind the stop.
inline constexpr auto divergence = mean(free_energy(V)) - mean(free_energy(stop_gradient(visible_mean)));
/// The same value, differentiated through what the machine makes up. Here to be compared.
inline constexpr auto divergence_not_stopped = mean(free_energy(V)) - mean(free_energy(visible_mean));

/// The gradients of the two. Each is compiled in a file of its own.
Parameters stopped_gradient(const Parameters& at, const matrix& data, const matrix& hidden);
Parameters not_stopped_gradient(const Parameters& at, const matrix& data, const matrix& hidden);
using GradientFunction = Parameters (*)(const Parameters&, const matrix&, const matrix&);

/// The gradient of minus the mean log-likelihood, with the expectation over the states of the machine, all rows of
/// `states`, in place of the chains.
Parameters exact_gradient(const Parameters& at, const matrix& data, const matrix& states);

/// The free energies of the rows of `data`.
vector free_energies(const Parameters& at, const matrix& data);

}  // namespace boltzmann_machine
