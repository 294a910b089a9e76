/* A crane moves its load by a metre: 6 s in steps of 0.1 s. Before each, its plan for the next 2 s follows the slopes
   that mpc.c computes, within what the motor can do; then its first acceleration is carried out. */
#include "mpc.c" /* with the macro that says how much memory a plan takes */

#include <stdio.h>

enum { horizon = 20, steps = 60, improvements = 10 };

static float within(float x, float most) { return (x > most) ? most : ((x < -most) ? -most : x); }

int main(void)
{
  const float goal = 1.0f, strongest = 2.0f, rate = 0.01f;
  float plan[horizon] = {0.0f}, slopes[horizon], scratch[plan_slopes_scratch(horizon)], cost = 0.0f;
  float crane[4] = {0.0f}, farthest = 0.0f, largest_angle = 0.0f;
  int arrived = 0;
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < improvements; ++i) {
      plan_slopes(plan, horizon, crane, goal, &cost, slopes, scratch);
      for (int k = 0; k < horizon; ++k) plan[k] = within(plan[k] - (rate * slopes[k]), strongest);
    }
    /* The crane itself: in steps of 1 ms, and with a rope that is longer than planned. */
    for (int i = 0; i < 100; ++i) {
      crane[1] += 0.001f * plan[0];
      crane[3] -= 0.001f * (((9.81f * sinf(crane[2])) + (plan[0] * cosf(crane[2]))) / 1.05f);
      crane[0] += 0.001f * crane[1];
      crane[2] += 0.001f * crane[3];
    }
    for (int k = 0; k + 1 < horizon; ++k) plan[k] = plan[k + 1];
    farthest = fmaxf(farthest, crane[0]), largest_angle = fmaxf(largest_angle, fabsf(crane[2]));
    if ((fabsf(crane[0] - goal) > 0.02f) || (fabsf(crane[2]) > 0.02f)) arrived = step + 1;
  }
  printf("at the goal, at rest, after %.1f s; the rope swung by %.2f rad, the trolley went to %.2f m\n",
         0.1 * (double)arrived, (double)largest_angle, (double)farthest);
  return (arrived < steps) ? 0 : 1;
}
