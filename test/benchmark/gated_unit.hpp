#ifndef TAPELESS_TEST_BENCHMARK_GATED_UNIT_HPP
#define TAPELESS_TEST_BENCHMARK_GATED_UNIT_HPP

/// Times the gradient of a gated recurrent unit, 128 units and inputs, 32 streams and 100 steps in float, next to the
/// same by hand with BLAS and xsimd; in a file of its own, since BLAS is included.
void gated_unit_step();

#endif
