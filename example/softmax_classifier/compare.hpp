#pragma once

#include "model.hpp"

#include <tapeless/inspect/schedule.hpp>

#include <array>

namespace softmax_classifier {

/// What is subtracted from the logits in the sum and at the row's class.
enum class Shift {
  stopped,           ///< the maximum, stopped in both places
  open,              ///< the maximum, stopped in none
  stopped_in_sum,    ///< the maximum, stopped in the sum only: a wrong gradient
  stopped_at_class,  ///< the maximum, stopped at the class only: a wrong gradient
  none               ///< nothing: overflows
};
inline constexpr std::array all_shifts{Shift::stopped, Shift::open, Shift::stopped_in_sum, Shift::stopped_at_class,
                                       Shift::none};

struct LossAndGradient {
  double loss;
  Matrix gradient;                   ///< in the logits
  tapeless::schedule_counts counts;  ///< what computing both takes
};

LossAndGradient cross_entropy(Shift shift, const Matrix& logits, const Matrix& one_hot);

}  // namespace softmax_classifier
