// The marginal likelihood of a Gaussian process: tapeless and the hand both call LAPACK.
#include "../gaussian_process.hpp"

#include "problem.hpp"

#include <xtensor/xadapt.hpp>
#include <xtensor/xbuilder.hpp>

#include <array>
#include <tuple>

namespace peers {
namespace {

void by_hand(const problem& p, const double* in, double* out) {
  static gaussian_process::by_hand evaluate;
  evaluate(p.size, p.data.data(), p.labels.data(), in[0], in[1], in[2]);
  out[0] = evaluate.value;
  out[1] = evaluate.by_length;
  out[2] = evaluate.by_amplitude;
  out[3] = evaluate.by_noise;
}

void by_tapeless(const problem& p, const double* in, double* out) {
  static constexpr auto step = value_and_gradient(gaussian_process::likelihood, tapeless::wrt<3, 4, 5>);
  const auto distances = xt::adapt(p.data.data(), p.data.size(), xt::no_ownership(), std::array{p.size, p.size});
  static const xt::xtensor<double, 2> unit = xt::eye<double>(p.size);
  static auto r = step(distances, unit, p.labels, in[0], in[1], in[2]);
  step(tapeless::into(r), distances, unit, p.labels, in[0], in[1], in[2]);
  out[0] = r.value;
  std::tie(out[1], out[2], out[3]) = r.gradient;
}

const add hand("GP", "hand", by_hand), ours("GP", "tapeless", by_tapeless);

}  // namespace
}  // namespace peers
