#ifndef TAPELESS_TEST_CORTEX_PI_H
#define TAPELESS_TEST_CORTEX_PI_H

#include "../functions.h"

#define DT 0.05f
#define DRAG 0.2f
#define EFFORT 0.01f
enum { STEPS = 50 };

struct state {
  float speed, integral;
};
struct adjoint {
  float speed, integral, kp, ki;
};

static inline float cost_of(struct state c, float kp, float ki)
{
  const float error = 1.0f - c.speed, force = kp * error + ki * c.integral;
  return error * error + EFFORT * force * force;
}
static inline struct state advance(struct state c, float kp, float ki)
{
  const float error = 1.0f - c.speed, force = kp * error + ki * c.integral;
  const struct state next = {c.speed + DT * (force - c.speed - DRAG * c.speed * c.speed * c.speed),
                             c.integral + DT * error};
  return next;
}
/* From the adjoint of the state after the step to that of the state `c` before it. */
static inline void back(struct adjoint *a, struct state c, float kp, float ki)
{
  const float error = 1.0f - c.speed, force = kp * error + ki * c.integral;
  const float along = DT * a->speed;
  const float by_force = along + 2.0f * EFFORT * force;
  const float by_error = kp * by_force + DT * a->integral + 2.0f * error;
  a->kp += by_force * error;
  a->ki += by_force * c.integral;
  a->integral += ki * by_force;
  a->speed -= by_error + along + 3.0f * DRAG * c.speed * c.speed * along;
}

#endif
