#include "model.hpp"

namespace expectation_maximization {

using namespace tapeless;
using namespace formula;

Matrix joint(const Data& data, const Parameters& at) {
  return formula::joint(X = data.X, a = at.a, m = at.m, A = at.A, lower = data.lower, diagonal = data.diagonal);
}

Matrix joint_along(const Data& data, const Parameters& at, const Parameters& v) {
  return jvp(formula::joint, tangent(a = v.a, m = v.m, A = v.A))(X = data.X, a = at.a, m = at.m, A = at.A,
                                                                 lower = data.lower, diagonal = data.diagonal);
}

}  // namespace expectation_maximization
