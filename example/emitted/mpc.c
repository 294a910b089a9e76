/* plan_slopes: the value and the gradient of a function. Written by tapeless.
   Inputs: x0[x0_length], x1[4], x2.
   Results: value[1], gradient0[its length]. */
#include <math.h>
#include <stddef.h>

#define plan_slopes_scratch(x0_length) ((5U * (size_t)(x0_length)))

void plan_slopes(const float *restrict x0, const size_t x0_length, const float *restrict x1,
                 const float x2, float *restrict value, float *restrict gradient0,
                 float *restrict scratch);

void plan_slopes(const float *restrict x0, const size_t x0_length, const float *restrict x1,
                 const float x2, float *restrict value, float *restrict gradient0,
                 float *restrict scratch)
{
  const float v1 = x1[0U];
  const float v2 = x1[1U];
  const float v3 = x1[2U];
  const float v4 = x1[3U];
  const float v9 = x2 * 0.0f;
  const size_t n11 = x0_length;
  float *const s11_5 = &scratch[0U];
  float *const s11_6 = &scratch[(size_t)(x0_length)];
  float *const s11_7 = &scratch[(2U * (size_t)(x0_length))];
  float *const s11_8 = &scratch[(3U * (size_t)(x0_length))];
  float c11_0 = v1;
  float c11_1 = v2;
  float c11_2 = v3;
  float c11_3 = v4;
  float c11_4 = v9;
  for (size_t i11 = 0U; i11 < n11; ++i11) {
    s11_5[i11] = c11_0;
    s11_6[i11] = c11_1;
    s11_7[i11] = c11_2;
    s11_8[i11] = c11_3;
    const float v11_0 = c11_0;
    const float v11_1 = c11_1;
    const float v11_2 = c11_2;
    const float v11_3 = c11_3;
    const float v11_4 = c11_4;
    const float v11_5 = x0[i11];
    const float v11_11 = (v11_5 * 0.1f) + v11_1;
    const float v11_13 = sinf(v11_2);
    const float v11_14 = cosf(v11_2);
    const float v11_15 = v11_13 * 9.81f;
    const float v11_16 = (v11_5 * v11_14) + v11_15;
    const float v11_17 = (v11_3 * 0.1f) + v11_16;
    const float v11_18 = v11_3 - (0.1f * v11_17);
    const float v11_19 = (0.1f * v11_11) + v11_0;
    const float v11_20 = (0.1f * v11_18) + v11_2;
    const float v11_21 = v11_19 - x2;
    const float v11_22 = (v11_21 * v11_21) + v11_4;
    const float v11_23 = v11_11 * v11_11;
    const float v11_24 = (0.1f * v11_23) + v11_22;
    const float v11_25 = v11_20 * v11_20;
    const float v11_26 = (v11_25 * 10.0f) + v11_24;
    const float v11_27 = (v11_18 * v11_18) + v11_26;
    const float v11_28 = v11_5 * v11_5;
    const float v11_29 = (v11_28 * 0.01f) + v11_27;
    c11_0 = v11_19;
    c11_1 = v11_11;
    c11_2 = v11_20;
    c11_3 = v11_18;
    c11_4 = v11_29;
  }
  const float v12 = c11_4;
  const size_t n17 = x0_length;
  float *const s17_5 = &scratch[(4U * (size_t)(x0_length))];
  float c17_0 = 0.0f;
  float c17_1 = 0.0f;
  float c17_2 = 0.0f;
  float c17_3 = 0.0f;
  float c17_4 = 1.0f;
  for (size_t i17 = 0U; i17 < n17; ++i17) {
    const size_t t17 = n17 - 1U - i17;
    const float v17_0 = c17_0;
    const float v17_1 = c17_1;
    const float v17_2 = c17_2;
    const float v17_3 = c17_3;
    const float v17_4 = c17_4;
    const float v17_6 = s11_5[t17];
    const float v17_7 = s11_6[t17];
    const float v17_8 = s11_7[t17];
    const float v17_9 = s11_8[t17];
    const float v17_10 = x0[t17];
    const float v17_16 = (v17_10 * 0.1f) + v17_7;
    const float v17_18 = sinf(v17_8);
    const float v17_19 = cosf(v17_8);
    const float v17_20 = v17_18 * 9.81f;
    const float v17_21 = (v17_10 * v17_19) + v17_20;
    const float v17_22 = (v17_9 * 0.1f) + v17_21;
    const float v17_23 = v17_9 - (0.1f * v17_22);
    const float v17_24 = (0.1f * v17_16) + v17_6;
    const float v17_25 = (0.1f * v17_23) + v17_8;
    const float v17_26 = v17_24 - x2;
    const float v17_27 = v17_4 * 0.01f;
    const float v17_28 = v17_10 * 2.0f;
    const float v17_29 = v17_27 * v17_28;
    const float v17_30 = v17_23 * 2.0f;
    const float v17_31 = v17_4 * 10.0f;
    const float v17_32 = v17_25 * 2.0f;
    const float v17_33 = v17_4 * 0.1f;
    const float v17_34 = v17_16 * 2.0f;
    const float v17_35 = v17_26 * 2.0f;
    const float v17_36 = (v17_31 * v17_32) + v17_2;
    const float v17_37 = (v17_4 * v17_30) + v17_3;
    const float v17_38 = (v17_4 * v17_35) + v17_0;
    const float v17_39 = (v17_33 * v17_34) + v17_1;
    const float v17_40 = (0.1f * v17_36) + v17_37;
    const float v17_41 = 0.1f * v17_40;
    const float v17_42 = v17_10 * v17_41;
    const float v17_43 = 9.81f * v17_41;
    const float v17_44 = (v17_18 * v17_42) + v17_36;
    const float v17_45 = (0.1f * v17_38) + v17_39;
    const float v17_46 = (0.1f * v17_45) + v17_29;
    const float v17_47 = v17_46 - (v17_19 * v17_41);
    const float v17_48 = v17_40 - (0.1f * v17_41);
    const float v17_49 = v17_44 - (v17_19 * v17_43);
    s17_5[t17] = v17_47;
    c17_0 = v17_38;
    c17_1 = v17_45;
    c17_2 = v17_49;
    c17_3 = v17_48;
    c17_4 = v17_4;
  }
  value[0U] = v12;
  for (size_t t = 0U; t < n17; ++t) {
    gradient0[t] = s17_5[t];
  }
}
