#include "../functions.h"

#include <math.h>

/* The step and its derivatives, in terms of the predicted covariance. */
void kalman_by_hand(const float *restrict x, const float *restrict p, const float *restrict noise, float z, float dt,
                    float *restrict result)
{
  const float half = 0.5f * dt * dt, by_q00 = half * half, by_q01 = half * dt, by_q11 = dt * dt;
  const float x1 = x[1], p2 = p[2], q = noise[0];
  const float x0 = x[0] + dt * x1;
  const float p01_half = p[1] + dt * p2;
  const float p00 = p[0] + dt * (p[1] + p01_half) + q * by_q00;
  const float p01 = p01_half + q * by_q01;
  const float p11 = p2 + q * by_q11;
  const float variance = p00 + noise[1];
  const float weight = 1.0f / variance;
  const float error = z - x0;
  const float k0 = p00 * weight, k1 = p01 * weight;
  const float scaled = error * weight;
  const float by_variance = 0.5f * (weight - scaled * scaled);
  const float by_p1 = by_variance * dt;
  result[0] = x0 + k0 * error;
  result[1] = x1 + k1 * error;
  result[2] = (1.0f - k0) * p00;
  result[3] = (1.0f - k0) * p01;
  result[4] = p11 - k1 * p01;
  result[5] = 0.5f * (logf(variance) + error * scaled);
  result[6] = -scaled;
  result[7] = -scaled * dt;
  result[8] = by_variance;
  result[9] = by_p1 + by_p1;
  result[10] = by_p1 * dt;
  result[11] = by_variance * by_q00;
  result[12] = by_variance;
}
