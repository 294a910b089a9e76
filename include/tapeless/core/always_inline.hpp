#ifndef TAPELESS_CORE_ALWAYS_INLINE_HPP
#define TAPELESS_CORE_ALWAYS_INLINE_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// For the thin layers between a caller and the straight-line code of a program: a call in between would pass numbers
/// through memory. Without optimisation they are calls, which compile in three quarters of the time.
#if defined(__OPTIMIZE__)
#define TAPELESS_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define TAPELESS_ALWAYS_INLINE inline
#endif

/// The same for a lambda, after its parameters: elementary functions over SIMD lanes are large, and a compiler that
/// leaves one out of a loop passes all lanes through memory.
#if defined(__OPTIMIZE__)
#define TAPELESS_INLINE_LAMBDA __attribute__((always_inline))
#else
#define TAPELESS_INLINE_LAMBDA
#endif

#endif
