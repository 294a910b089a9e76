#ifndef TAPELESS_TEST_BENCHMARK_PERCEPTRON_HPP
#define TAPELESS_TEST_BENCHMARK_PERCEPTRON_HPP

/// Times the gradient of a two-layer perceptron, 784-128-10, of a batch of 64 in float, next to the same products of
/// matrices by hand; in a file of its own, since BLAS is included.
void perceptron_step();

#endif
