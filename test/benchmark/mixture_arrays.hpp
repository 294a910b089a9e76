#ifndef TAPELESS_TEST_BENCHMARK_MIXTURE_ARRAYS_HPP
#define TAPELESS_TEST_BENCHMARK_MIXTURE_ARRAYS_HPP

#include <cstddef>

/// Times the gradient of a Gaussian mixture of five components written as an array program, points by components, next
/// to the loop by hand: with contiguous parameters, with parameters in the columns of a matrix, with points whose
/// extent of 1 is known only at the call, and as components by points.
void mixture_arrays(std::size_t n);

#endif
