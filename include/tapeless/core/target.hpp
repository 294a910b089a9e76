#pragma once

/// What the compiler's options make of numeric code: the instruction set, whether there are SIMD lanes, and what
/// -ffast-math and its parts permit. All of it stands in one name, TAPELESS_TARGET, that of the inline namespaces with
/// the code that computes. So translation units that are compiled differently can be linked: each calls functions of
/// its own. Formulas do not depend on it and have one type everywhere.

#if __has_include(<features.h>)
#include <features.h>  // __GLIBC__
#endif
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define TAPELESS_MEMORY_SANITIZER
#endif
#endif

#if defined(__AVX512BW__)
#define TAPELESS_TARGET_SET avx512bw
#elif defined(__AVX512DQ__)
#define TAPELESS_TARGET_SET avx512dq
#elif defined(__AVX512CD__)
#define TAPELESS_TARGET_SET avx512cd
#elif defined(__AVX512F__)
#define TAPELESS_TARGET_SET avx512f
#elif defined(__AVX2__)
#define TAPELESS_TARGET_SET avx2
#elif defined(__AVX__)
#define TAPELESS_TARGET_SET avx
#elif defined(__SSE4_2__)
#define TAPELESS_TARGET_SET sse4_2
#elif defined(__SSE4_1__)
#define TAPELESS_TARGET_SET sse4_1
#elif defined(__SSSE3__)
#define TAPELESS_TARGET_SET ssse3
#elif defined(__SSE3__)
#define TAPELESS_TARGET_SET sse3
#elif defined(__SSE2__)
#define TAPELESS_TARGET_SET sse2
#elif defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS > 0
#define TAPELESS_TARGET_SET TAPELESS_TARGET_JOIN(sve, __ARM_FEATURE_SVE_BITS, , , )
#elif defined(__aarch64__)
#define TAPELESS_TARGET_SET neon64
#elif defined(__ARM_NEON)
#define TAPELESS_TARGET_SET neon
#elif defined(__riscv_v_fixed_vlen) && __has_include(<xsimd/arch/xsimd_rvv.hpp>)
#define TAPELESS_TARGET_SET TAPELESS_TARGET_JOIN(rvv, __riscv_v_fixed_vlen, , , )
#elif defined(__wasm_simd128__) && __has_include(<xsimd/arch/xsimd_wasm.hpp>)
#define TAPELESS_TARGET_SET wasm
#elif defined(__VSX__) && __has_include(<xsimd/arch/xsimd_vsx.hpp>)
#define TAPELESS_TARGET_SET vsx
#else
// Where xsimd has no lanes it does not compile.
#define TAPELESS_TARGET_SET generic
#undef TAPELESS_NO_XSIMD
#define TAPELESS_NO_XSIMD
#endif

// clang defines neither macro where a part of -ffast-math is left out: lanes and packs compute sums with this there.
#ifdef __clang__
#define TAPELESS_AS_WRITTEN _Pragma("clang fp reassociate(off)")
#else
#define TAPELESS_AS_WRITTEN
#endif

// With these compilers rearrange what xsimd's functions rest on: log1p(0.6) and sin(1800) had no right digit.
#if !defined(TAPELESS_NO_XSIMD) && !defined(__FAST_MATH__) && !defined(__ASSOCIATIVE_MATH__) &&                        \
    __has_include(<xsimd/xsimd.hpp>)
#define TAPELESS_HAS_XSIMD 1
// The memory sanitizer would take what glibc's vector functions return for uninitialised.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(TAPELESS_NO_LIBMVEC) && !defined(TAPELESS_MEMORY_SANITIZER)
#if __GLIBC_PREREQ(2, 35)
#define TAPELESS_HAS_LIBMVEC 1
#endif
#endif
#ifdef TAPELESS_HAS_LIBMVEC
#define TAPELESS_TARGET_LANES _libmvec
#else
#define TAPELESS_TARGET_LANES
#endif
#else
#define TAPELESS_TARGET_LANES _scalar
#endif

#if defined(__FMA__) && !defined(__AVX512F__)
#define TAPELESS_TARGET_FMA _fma
#elif defined(__FMA4__)
#define TAPELESS_TARGET_FMA _fma4
#else
#define TAPELESS_TARGET_FMA
#endif

// clang has macros for the first two only.
#if defined(__FAST_MATH__)
#define TAPELESS_TARGET_MATH _fast
#elif defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
#define TAPELESS_TARGET_MATH _finite
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#define TAPELESS_TARGET_MATH _unsafe
#else
#define TAPELESS_TARGET_MATH
#endif

// Without registers for vectors packs gain nothing, and their exponential needs roundings to be where they stand. nvcc
// does not know vectors of a type that is a parameter.
#if (defined(__SSE2__) || defined(__aarch64__)) && !defined(__CUDACC__) && !defined(__FAST_MATH__) &&                  \
    !defined(__ASSOCIATIVE_MATH__) && !defined(TAPELESS_NO_PACKS)
#define TAPELESS_HAS_PACKS 1
#define TAPELESS_TARGET_PACKS
#else
#define TAPELESS_TARGET_PACKS _unpacked
#endif

#define TAPELESS_TARGET_PASTE(SET, FMA, LANES, MATH, PACKS) SET##FMA##LANES##MATH##PACKS
#define TAPELESS_TARGET_JOIN(SET, FMA, LANES, MATH, PACKS) TAPELESS_TARGET_PASTE(SET, FMA, LANES, MATH, PACKS)
#define TAPELESS_TARGET                                                                                                \
  TAPELESS_TARGET_JOIN(TAPELESS_TARGET_SET, TAPELESS_TARGET_FMA, TAPELESS_TARGET_LANES, TAPELESS_TARGET_MATH,          \
                       TAPELESS_TARGET_PACKS)

namespace tapeless::detail::inline TAPELESS_TARGET {

/// Whether sums are rearranged although no macro says so: then xsimd's own functions are of no use. clang simplifies
/// this before it puts it into a caller; in others, and without optimisation, it is the constant false.
#ifdef __clang__
[[clang::internal_linkage]] inline bool rearranges_sums(double tiny = 0x1p-60) { return tiny + 1 - 1 != 0; }
#else
constexpr bool rearranges_sums() { return false; }
#endif

}  // namespace tapeless::detail::inline TAPELESS_TARGET
