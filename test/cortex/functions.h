/* What problems.hpp computes, three times: written by hand, by tapeless, and in C that tapeless wrote. */
#ifndef TAPELESS_TEST_CORTEX_FUNCTIONS_H
#define TAPELESS_TEST_CORTEX_FUNCTIONS_H

#include <stdint.h>

/* The same source by hand gives a function with loops and one without. */
#ifdef WITHOUT_LOOPS
#define BY_HAND(NAME) NAME##_unrolled_by_hand
#define UNROLLED _Pragma("GCC unroll 64")
#else
#define BY_HAND(NAME) NAME##_by_hand
#define UNROLLED
#endif

#ifdef __cplusplus
#define restrict __restrict
extern "C" {
#endif

typedef void kalman_step(const float *restrict x, const float *restrict p, const float *restrict noise, float z,
                         float dt, float *restrict result);
kalman_step kalman_by_hand, kalman_by_tapeless, kalman_emitted;

/* The cost and its slopes. */
typedef void pi_cost(const float *restrict gains, float *restrict result);
pi_cost pi_by_hand, pi_unrolled_by_hand, pi_checkpoints_by_hand, pi_scan_by_tapeless, pi_unrolled_by_tapeless,
    pi_checkpoints_by_tapeless;
void pi_unrolled_emitted(const float *restrict gains, float *restrict value, float *restrict gradient);
void pi_scan_emitted(const float *restrict gains, float *restrict value, float *restrict gradient,
                     float *restrict scratch);

typedef void mpc_step(const float *restrict torques, const float *restrict start, float *restrict next);
mpc_step mpc_by_hand, mpc_unrolled_by_hand, mpc_by_tapeless, mpc_emitted;

typedef void layer_step(const float *restrict weights, const float *restrict biases, const int8_t *restrict first,
                        const float *restrict x, const float *restrict target, float *restrict result);
layer_step layer_by_hand, layer_unrolled_by_hand, layer_by_tapeless;
/* With the weights of the first layer as floats. */
typedef void layer_of_floats(const float *restrict weights, const float *restrict biases, const float *restrict first,
                             const float *restrict x, const float *restrict target, float *restrict result);
layer_of_floats layer_emitted;
/* The loss and its slopes by the weights and biases of both layers, and with the first stopped. */
layer_of_floats layer_both_by_tapeless, layer_stopped_by_tapeless;

#ifdef __cplusplus
}
#undef restrict
#endif

#endif
