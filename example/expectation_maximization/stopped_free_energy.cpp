#include "model.hpp"

namespace expectation_maximization {

using namespace tapeless;
using namespace formula;

ValueAndGradient stopped_free_energy(const Data& data, const Parameters& at) {
  const auto log_responsibilities = stop_gradient(log_softmax<0>(formula::joint));
  const auto step = value_and_gradient(free_energy(formula::joint, log_responsibilities), wrt(a, m, A));
  const auto r = step(X = data.X, a = at.a, m = at.m, A = at.A, lower = data.lower, diagonal = data.diagonal);
  return {r.value, {r.gradient[a], r.gradient[m], r.gradient[A]}};
}

}  // namespace expectation_maximization
