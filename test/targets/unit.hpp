#ifndef TAPELESS_TEST_TARGETS_UNIT_HPP
#define TAPELESS_TEST_TARGETS_UNIT_HPP

#include <xtensor/xtensor.hpp>

#include <vector>

struct numbers {
  double factor, sum_of_powers, loss, gradient, gradient_again, softmax, batched, digamma, second, of_function;
  double solution, rotated, curvature, of_loop;
  double larger_of_nan, largest_of_nan;
  bool is_strict;
};

#endif
