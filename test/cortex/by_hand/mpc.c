#include "../functions.h"

#include <math.h>

#define DT 0.1f
#define GRAVITY 9.81f
#define FRICTION 0.1f
#define RATE 0.05f
enum { HORIZON = 10 };

/* Forward with the angles, the speeds and the cosines kept; back with the adjoints of the state. */
void BY_HAND(mpc)(const float *restrict torques, const float *restrict start, float *restrict next)
{
  float angles[HORIZON], speeds[HORIZON], cosines[HORIZON];
  float angle = start[0], speed = start[1];
  UNROLLED
  for (int i = 0; i < HORIZON; ++i) {
    cosines[i] = cosf(angle);
    const float moved = angle + DT * speed;
    speed = speed + DT * (torques[i] - GRAVITY * sinf(angle) - FRICTION * speed);
    angle = moved;
    angles[i] = angle;
    speeds[i] = speed;
  }
  float by_angle = 0.0f, by_speed = 0.0f;
  UNROLLED
  for (int i = HORIZON - 1; i >= 0; --i) {
    by_angle += 2.0f * angles[i];
    by_speed += 0.2f * speeds[i];
    const float along = DT * by_speed;
    const float u = torques[i] - RATE * (along + 0.02f * torques[i]);
    next[i] = u < -2.0f ? -2.0f : u > 2.0f ? 2.0f : u;
    by_speed += DT * by_angle - FRICTION * along;
    by_angle -= GRAVITY * cosines[i] * along;
  }
}
