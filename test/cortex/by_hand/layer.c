#include "../functions.h"

#include <math.h>
#include <stdint.h>

enum { INPUTS = 8, HIDDEN = 8, OUTPUTS = 4 };
#define WEIGHT_SCALE (1.0f / 64)
#define ACTIVATION_SCALE (1.0f / 32)
#define RATE 0.05f

static inline float in_int8(float x, float scale, float inverse)
{
  const float rounded = roundf(x * inverse);
  return (rounded < -127.0f ? -127.0f : rounded > 127.0f ? 127.0f : rounded) * scale;
}

void BY_HAND(layer)(const float *restrict weights, const float *restrict biases, const int8_t *restrict first,
                    const float *restrict x, const float *restrict target, float *restrict result)
{
  float h[HIDDEN], logits[OUTPUTS];
  UNROLLED
  for (int i = 0; i < HIDDEN; ++i) {
    float sum = 0.0f;
    UNROLLED
    for (int j = 0; j < INPUTS; ++j) sum += (float)first[i * INPUTS + j] * x[j];
    sum *= WEIGHT_SCALE;
    h[i] = in_int8(sum > 0.0f ? sum : 0.0f, ACTIVATION_SCALE, 32.0f);
  }
  float along = 0.0f, largest = -INFINITY;
  UNROLLED
  for (int k = 0; k < OUTPUTS; ++k) {
    float sum = biases[k];
    UNROLLED
    for (int i = 0; i < HIDDEN; ++i) sum += in_int8(weights[k * HIDDEN + i], WEIGHT_SCALE, 64.0f) * h[i];
    logits[k] = sum;
    along += target[k] * sum;
    if (sum > largest) largest = sum;
  }
  float total = 0.0f;
  UNROLLED
  for (int k = 0; k < OUTPUTS; ++k) {
    logits[k] = expf(logits[k] - largest);
    total += logits[k];
  }
  result[0] = largest + logf(total) - along;
  const float inverse = 1.0f / total;
  UNROLLED
  for (int k = 0; k < OUTPUTS; ++k) {
    const float by_logit = RATE * (logits[k] * inverse - target[k]);
    UNROLLED
    for (int i = 0; i < HIDDEN; ++i) result[1 + k * HIDDEN + i] = weights[k * HIDDEN + i] - by_logit * h[i];
    result[1 + OUTPUTS * HIDDEN + k] = biases[k] - by_logit;
  }
}
