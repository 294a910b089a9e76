#pragma once
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

/// Computes products of large matrices, `dot(A, B)` and its derivatives, with BLAS. Include this header before a
/// formula is evaluated, in all translation units or in none, and link a BLAS library with the C interface, such as
/// OpenBLAS.
#include <tapeless/interop/cblas.hpp>
