#ifndef TAPELESS_CORE_ALWAYS_INLINE_HPP
#define TAPELESS_CORE_ALWAYS_INLINE_HPP

/// For the thin layers between a caller and the straight-line code of a program: a call in between would pass numbers
/// through memory.
#if defined(__GNUC__) || defined(__clang__)
#define TAPELESS_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define TAPELESS_ALWAYS_INLINE inline
#endif

#endif
