/* What the compilers of CUDA declare, for one processor. */
#include <math.h>
#include <stddef.h>
#define __global__
#define __device__
struct place_in_grid {
  unsigned x;
};
static place_in_grid blockIdx = {0}, blockDim = {1}, threadIdx = {0};
