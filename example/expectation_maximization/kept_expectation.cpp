#include "model.hpp"

namespace expectation_maximization {

using namespace tapeless;
using namespace formula;

ValueAndGradient kept_expectation(const Data& data, const Parameters& at, const Matrix& responsibilities) {
  constexpr auto R = variable<"R">;
  const auto step = value_and_gradient(expected(formula::joint, R), wrt(a, m, A));
  const auto r = step(R = responsibilities, X = data.X, a = at.a, m = at.m, A = at.A, lower = data.lower,
                      diagonal = data.diagonal);
  return {r.value, {r.gradient[a], r.gradient[m], r.gradient[A]}};
}

}  // namespace expectation_maximization
