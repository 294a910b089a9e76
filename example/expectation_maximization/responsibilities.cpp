#include "responsibilities.hpp"

#include <stdexcept>

namespace expectation_maximization {

using namespace tapeless;

namespace {

constexpr auto l = variable<"l">;

template <class F>
InJoint evaluated(const F& f, const Matrix& joint) {
  const auto step = value_and_gradient(f, wrt(l));
  const auto r = step(l = joint);
  return {r.value, r.gradient[l], schedule(step)(l = joint).counts};
}

}  // namespace

Matrix responsibilities(const Matrix& joint) { return softmax<0>(l)(l = joint); }

double log_likelihood(const Matrix& joint) { return formula::log_likelihood(l)(l = joint); }

InJoint in_joint(Objective objective, const Matrix& joint) {
  using formula::expected;
  using formula::free_energy;
  switch (objective) {
    case Objective::log_likelihood: return evaluated(formula::log_likelihood(l), joint);
    case Objective::free_energy_stopped: return evaluated(free_energy(l, stop_gradient(log_softmax<0>(l))), joint);
    case Objective::free_energy_open: return evaluated(free_energy(l, log_softmax<0>(l)), joint);
    case Objective::expected_stopped: return evaluated(expected(l, stop_gradient(softmax<0>(l))), joint);
    case Objective::expected_open: return evaluated(expected(l, softmax<0>(l)), joint);
  }
  throw std::logic_error("an unknown objective");
}

double curvature_in_joint(const Matrix& joint, const Matrix& direction) {
  const auto h = hvp(formula::log_likelihood(l), wrt(l), tangent(l = direction))(l = joint);
  double result = 0;
  for (std::size_t e = 0; e < direction.size(); ++e) {
    result += direction.data()[e] * h[l].data()[e];
  }
  return result;
}

}  // namespace expectation_maximization
