#pragma once

#include <tapeless/core/always_inline.hpp>
#include <tapeless/core/target.hpp>

#ifdef __CUDACC__
#include <cmath>
#endif

/// The C library's functions by the compiler's names for them: <cmath> would read the special functions of C++17 too,
/// a tenth of what including tapeless.hpp costs. nvcc has its own for kernels.
namespace tapeless::math::c_library {

#ifdef __CUDACC__
using namespace std;
using ::sincos, ::sincosf, ::sincosl;
#else
#define TAPELESS_C_FUNCTION_OF_1(NAME, C_NAME)                                                                         \
  TAPELESS_ALWAYS_INLINE float NAME(float x) { return __builtin_##C_NAME##f(x); }                                      \
  TAPELESS_ALWAYS_INLINE double NAME(double x) { return __builtin_##C_NAME(x); }                                       \
  TAPELESS_ALWAYS_INLINE long double NAME(long double x) { return __builtin_##C_NAME##l(x); }
#define TAPELESS_C_FUNCTION_OF_2(NAME, C_NAME)                                                                         \
  TAPELESS_ALWAYS_INLINE float NAME(float x, float y) { return __builtin_##C_NAME##f(x, y); }                          \
  TAPELESS_ALWAYS_INLINE double NAME(double x, double y) { return __builtin_##C_NAME(x, y); }                          \
  TAPELESS_ALWAYS_INLINE long double NAME(long double x, long double y) { return __builtin_##C_NAME##l(x, y); }
#define TAPELESS_C_FUNCTION(NAME, OPERATION, COUNT) TAPELESS_C_FUNCTION_OF_##COUNT(NAME, NAME)
#include <tapeless/core/function_list.hpp>
TAPELESS_C_FUNCTION_OF_1(abs, fabs)
TAPELESS_C_FUNCTION_OF_2(pow, pow)
#undef TAPELESS_C_FUNCTION_OF_1
#undef TAPELESS_C_FUNCTION_OF_2

#if defined(__GLIBC__) && defined(_GNU_SOURCE)
extern "C" void sincosf(float, float*, float*) noexcept;
extern "C" void sincos(double, double*, double*) noexcept;
extern "C" void sincosl(long double, long double*, long double*) noexcept;
#endif
#endif

}  // namespace tapeless::math::c_library
