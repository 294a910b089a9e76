// What tapeless.hpp must not read, since all that include it would pay for it. The macros are those of GCC's library.
#include <tapeless/tapeless.hpp>

#if defined(_GLIBCXX_ALGORITHM) || defined(_GLIBCXX_NUMERIC) || defined(_GLIBCXX_OPTIONAL) || defined(_GLIBCXX_IOSTREAM)
#error tapeless.hpp reads algorithm, numeric, optional or iostream
#endif
#if defined(XTENSOR_VERSION_MAJOR) || defined(XSIMD_VERSION_MAJOR)
#error tapeless.hpp reads xtensor or xsimd
#endif
