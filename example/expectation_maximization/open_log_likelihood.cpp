#include "model.hpp"

namespace expectation_maximization {

using namespace tapeless;
using namespace formula;

ValueAndGradient open_log_likelihood(const Data& data, const Parameters& at) {
  const auto step = value_and_gradient(log_likelihood(formula::joint), wrt(a, m, A));
  const auto r = step(X = data.X, a = at.a, m = at.m, A = at.A, lower = data.lower, diagonal = data.diagonal);
  return {r.value, {r.gradient[a], r.gradient[m], r.gradient[A]}};
}

}  // namespace expectation_maximization
