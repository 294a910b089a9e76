/* A drive on a circle around the first beacon, followed by the filter in ekf.c: 400 steps of 50 ms with noisy measurements. */
#include <math.h>
#include <stdio.h>
#include <string.h>

void ekf_step(const float *restrict x0, const float *restrict x1, const float x2, const float x3, const float x4,
              const float *restrict x5, const float *restrict x6, float *restrict value);

/* A number between -1 and 1: a linear congruential generator. */
static float noise(void)
{
  static unsigned long state = 1UL;
  state = ((state * 1664525UL) + 1013904223UL) & 0xffffffffUL;
  return ((float)state / 2147483648.0f) - 1.0f;
}

int main(void)
{
  const float speed = 2.0f, turn = 0.25f, dt = 0.05f;
  const float deviations[4] = {0.1f, 0.02f, 0.05f, 0.02f};
  float x = 8.0f, y = 0.0f, heading = 1.5707963f;
  /* The filter starts off by a metre and ten degrees, and does not trust that. */
  float estimate[12] = {9.0f, -1.0f, 1.4f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.1f};
  float next[12], worst = 0.0f;
  for (int step = 0; step < 400; ++step) {
    const float middle = heading + (0.5f * turn * dt);
    x += speed * dt * cosf(middle), y += speed * dt * sinf(middle), heading += turn * dt;
    const float direction = atan2f(-y, -x) - heading + (0.03f * noise());
    const float sighted[3] = {hypotf(x, y) + (0.08f * noise()), hypotf(x - 10.0f, y) + (0.08f * noise()), sinf(direction)};
    ekf_step(estimate, estimate + 3, speed + (0.15f * noise()), turn + (0.03f * noise()), dt, sighted, deviations, next);
    memcpy(estimate, next, sizeof next);
    const float away = hypotf(estimate[0] - x, estimate[1] - y);
    if (step >= 100 && away > worst) worst = away;
  }
  printf("off by at most %.2f m after 5 s; at the end by %.2f m, with standard deviations of %.2f m and %.2f m\n",
         (double)worst, (double)hypotf(estimate[0] - x, estimate[1] - y), (double)sqrtf(estimate[3]),
         (double)sqrtf(estimate[7]));
  return worst < 0.3f ? 0 : 1;
}
