#pragma once

/// TAPELESS_ALWAYS_INLINE is for the thin layers between a caller and the straight-line code of a program: a call in
/// between would pass numbers through memory. TAPELESS_INLINE_LAMBDA is the same for a lambda, after its parameters:
/// elementary functions over SIMD lanes are large, and a compiler that leaves one out of a loop passes all lanes
/// through memory.
///
/// With TAPELESS_NO_ALWAYS_INLINE they are calls, which compile in two thirds of the time at -O0. All units of a
/// program must be compiled with the same options then: they share functions.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(TAPELESS_NO_ALWAYS_INLINE)
#define TAPELESS_ALWAYS_INLINE [[gnu::always_inline]] inline
#define TAPELESS_INLINE_LAMBDA __attribute__((always_inline))
#else
#define TAPELESS_ALWAYS_INLINE inline
#define TAPELESS_INLINE_LAMBDA
#endif
