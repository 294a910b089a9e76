#include "pi.h"

/* The states are kept step by step. */
void BY_HAND(pi)(const float *restrict gains, float *restrict result)
{
  struct state kept[STEPS];
  struct state c = {0.0f, 0.0f};
  struct adjoint a = {0.0f, 0.0f, 0.0f, 0.0f};
  const float kp = gains[0], ki = gains[1];
  float cost = 0.0f;
  UNROLLED
  for (int i = 0; i < STEPS; ++i) {
    kept[i] = c;
    cost += cost_of(c, kp, ki);
    c = advance(c, kp, ki);
  }
  UNROLLED
  for (int i = STEPS - 1; i >= 0; --i) back(&a, kept[i], kp, ki);
  result[0] = cost;
  result[1] = a.kp;
  result[2] = a.ki;
}
