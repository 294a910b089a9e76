#include "compare.hpp"

#include <stdexcept>

namespace softmax_classifier {

using namespace tapeless;

namespace {

constexpr auto z = variable<"z">;

template <class Loss>
LossAndGradient evaluated(const Loss& loss, const Matrix& logits, const Matrix& one_hot) {
  using formula::Y;
  const auto step = value_and_gradient(loss, wrt(z));
  const auto r = step(z = logits, Y = one_hot);
  return {r.value, r.gradient[z], schedule(step)(z = logits, Y = one_hot).counts};
}

}  // namespace

LossAndGradient cross_entropy(Shift shift, const Matrix& logits, const Matrix& one_hot) {
  const auto stopped = formula::shifted(z);
  const auto open = formula::shifted_without_stop(z);
  switch (shift) {
    case Shift::stopped: return evaluated(formula::cross_entropy(stopped, stopped), logits, one_hot);
    case Shift::open: return evaluated(formula::cross_entropy(open, open), logits, one_hot);
    case Shift::stopped_in_sum: return evaluated(formula::cross_entropy(stopped, open), logits, one_hot);
    case Shift::stopped_at_class: return evaluated(formula::cross_entropy(open, stopped), logits, one_hot);
    case Shift::none: return evaluated(formula::cross_entropy(z, z), logits, one_hot);
  }
  throw std::logic_error("an unknown shift");
}

}  // namespace softmax_classifier
