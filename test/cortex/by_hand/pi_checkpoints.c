#include "pi.h"

/* A state is kept before every seventh step, and the seven steps from there are made again, with all states kept. */
void pi_checkpoints_by_hand(const float *restrict gains, float *restrict result)
{
  enum { EVERY = 7, COUNT = (STEPS + EVERY - 1) / EVERY };
  struct state starts[COUNT], kept[EVERY];
  struct state c = {0.0f, 0.0f};
  struct adjoint a = {0.0f, 0.0f, 0.0f, 0.0f};
  const float kp = gains[0], ki = gains[1];
  float cost = 0.0f;
  for (int block = 0, i = 0; block < COUNT; ++block) {
    starts[block] = c;
    for (int k = 0; k < EVERY && i < STEPS; ++k, ++i) {
      cost += cost_of(c, kp, ki);
      c = advance(c, kp, ki);
    }
  }
  for (int block = COUNT - 1; block >= 0; --block) {
    const int last = (block == COUNT - 1 ? STEPS - block * EVERY : EVERY) - 1;
    c = starts[block];
    for (int k = 0; k < last; ++k) {
      kept[k] = c;
      c = advance(c, kp, ki);
    }
    back(&a, c, kp, ki);
    for (int k = last - 1; k >= 0; --k) back(&a, kept[k], kp, ki);
  }
  result[0] = cost;
  result[1] = a.kp;
  result[2] = a.ki;
}
